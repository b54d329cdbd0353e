import { describe, expect, test } from 'vitest'
import type { Engine, SessionHandle } from '@refold/engine'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { delegated, SessionLog, started } from '../support/session-log.ts'
import { tipOf } from '../support/read-log.ts'
import { open, readBy, turns } from './conversation.ts'

/** A root with one session of each kind under it. */
async function family(): Promise<{ readonly engine: Engine; readonly root: SessionHandle }> {
  const { engine } = await facadeWorld()
  const root = await startIn(engine, 'root')
  sure(await root.append(turns(1, 3)))
  sure(await root.branch({ from: 'A2', id: 'branch' }))
  sure(await root.spawn({ id: 'delegate' }))
  sure(await engine.start({ id: 'reset', resetOf: 'root' }))
  return { engine, root }
}

const kinds = ['branch', 'delegate', 'reset'] as const

async function kindsOf(engine: Engine): Promise<readonly (readonly [string, string | undefined])[]> {
  const lineages = kinds.map(
    async (id) => [id, sure(await (await open(engine, id)).lineage()).parents[0]?.kind] as const,
  )
  return Promise.all(lineages)
}

const asNamed = kinds.map((kind) => [kind, kind] as const)

describe('edges', () => {
  test('A11: a mark in another session never changes what a session is', () => {
    const log = new SessionLog()
    log.add('a', started('a'))
    log.add('b', started('b'))
    log.add('d', delegated('d', 'a'))
    for (const session of ['b', 'd']) log.add('b', { type: 'DelegateSpawned', data: { session } })
    expect(tipOf(log, 'b')).toMatchObject({ originKind: 'root', originSession: null })
    expect(tipOf(log, 'd')).toMatchObject({ originKind: 'delegate', originSession: 'a' })
  })

  test('A12: what continues a branch, delegate or reset is that session, and of its kind', async () => {
    const { engine } = await family()
    for (const kind of kinds) {
      const session = await open(engine, kind)
      sure(await session.reopen())
      sure(await session.rotate({ segment: `${kind}-next` }))
      expect((await open(engine, `${kind}-next`)).id).toBe(kind)
    }
    expect(await kindsOf(engine)).toEqual(asNamed)
  })

  test('A13, B20: neither a branch nor its origin ever changes the other', async () => {
    const { engine, root } = await family()
    sure(await root.reopen())
    const branch = await open(engine, 'branch')
    const before = await readBy(branch)
    sure(await root.append(turns(4, 4)))
    sure(await root.edit('U1', { text: 'Something else.' }))
    sure(await root.rewind({ to: 'U1' }))
    expect(await readBy(branch)).toEqual(before)
    const origin = await readBy(root)
    sure(await branch.append(turns(5, 5)))
    sure(await branch.edit('A1', { text: 'Not that.' }))
    sure(await branch.rewind({ to: 'start' }))
    expect(await readBy(root)).toEqual(origin)
  })

  test('A14: what a session is outlasts every end, reopening and deletion of its parent', async () => {
    const { engine, root } = await family()
    for (let time = 0; time < 2; time += 1) {
      sure(await root.reopen())
      sure(await root.end({ reason: 'again' }))
      expect(await kindsOf(engine)).toEqual(asNamed)
    }
    sure(await engine.delete(['root']))
    sure(await engine.restore('root'))
    expect(await kindsOf(engine)).toEqual(asNamed)
  })

  test('A16: of several continuations of one segment the first in the log is the one, whoever asks', async () => {
    const { engine, source } = await facadeWorld()
    const session = await startIn(engine)
    const others = await Promise.all([1, 2, 3].map(() => open(engine, 's')))
    source.advance(-5_000)
    const outcomes = await Promise.all(others.map((one, n) => one.rotate({ from: 's', segment: `next-${n}` })))
    expect(outcomes.map((one) => (one.ok ? 'ok' : one.code))).toEqual(['ok', 'already-rotated', 'already-rotated'])
    expect(sure(await session.lineage()).segments).toEqual(['s', 'next-0'])
  })
})
