import { describe, expect, test } from 'vitest'
import type { Engine, MessageInput, Outcome, SessionHandle } from '@refold/engine'
import { facadeWorld, startIn, sure } from '../../support/facade-world.ts'

/** Commands by what they do, each to be made under any key. */
type Act = (engine: Engine, session: SessionHandle, key: string) => Promise<Outcome>

const say = (id: string, text = `long words of ${id} `.repeat(20)): MessageInput => ({ id, role: 'assistant', text })
const usage = { tokens: { input: 3 } }

/** Their events' ids derive from the key. */
const keyed: Readonly<Record<string, Act>> = {
  'append without ids': (_, session, key) => session.append([{ role: 'user', text: 'hello' }], { key }),
  edit: (_, session, key) => session.edit('m1', { text: 'said otherwise', key }),
  rewind: (_, session, key) => session.rewind({ to: 'm1', key }),
  undo: (_, session, key) => session.undo(undefined, { key }),
  prune: (_, session, key) => session.prune('m1', { parts: null, why: 'short', key }),
  rename: (_, session, key) => session.rename('A title', { key }),
  rotate: (_, session, key) => session.rotate({ pending: [say('pending')], key }),
  pin: (_, session, key) => session.pin({ key }),
  tag: (_, session, key) => session.tag('red', { key }),
  'bind route': (_, session, key) => session.bindRoute({ route: 'chat', key }),
  note: (_, session, key) => session.note({ kind: 'aside', text: 'words', key }),
  archive: (_, session, key) => session.archive({ key }),
  'renew turn': (_, session, key) => session.renewTurn('t0', { key }),
  spawn: (_, session, key) => session.spawn({ task: 'look', key }),
  branch: (_, session, key) => session.branch({ from: 'm1', key }),
  compact: (_, session, key) =>
    session.compact({ base: READY, watermark: READY, held: ['m1', 'm2'], summary: 'S', key }),
  'compaction failed': (_, session, key) => session.compactionFailed('no summary came', { key }),
  end: (_, session, key) => session.end({ reason: 'done', class: 'accident', key }),
  delete: (engine, session, key) => engine.delete([session.id], { key }),
}

/** Their events' ids derive from what they name. */
const named: Readonly<Record<string, Act>> = {
  'append with ids': (_, session, key) => session.append([say('new 1'), say('new 2')], { key }),
  'append of what is partly there': (_, session, key) => session.append([say('m1'), say('new 3')], { key }),
  'append of a growing answer': (_, session, key) => session.append({ ...say('grows'), partial: 1 }, { key }),
  'append of its last word': (_, session, key) => session.append(say('grew'), { key }),
  'append from a platform': (_, session, key) => session.append({ ...say('chat'), platformId: 'p1' }, { key }),
  'append of usage alone': (_, session, key) => session.append({ ...say('m1'), usage }, { key }),
  'append with usage': (_, session, key) => session.append({ ...say('dear'), usage }, { key }),
  'append of a cause': (_, session, key) => session.append(say('caused'), { key, causationId: 'elsewhere' }),
  'note with an id': (_, session, key) => session.note({ note: 'n1', kind: 'aside', text: 'words', key }),
  'start turn': (_, session, key) => session.startTurn({ turn: 't1', key }),
  'end turn': (_, session, key) => session.endTurn('t0', { key }),
  report: (_, session, key) => session.report({ delegate: 'd', outcome: 'done', message: 'found', key }),
}

/** Revision of a world that is ready. */
const READY = 6

/** What commands need: messages that were said, a turn, a delegate, a rewind to take back. */
async function readyWorld(name = ''): Promise<{ readonly engine: Engine; readonly session: SessionHandle }> {
  const { engine, source } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append([say('m1'), say('m2')]))
  sure(await session.append({ ...say('grew'), partial: 4 }))
  sure(await session.spawn({ id: 'd' }))
  sure(await session.rewind({ to: 'grew' }))
  sure(await session.startTurn({ turn: 't0' }))
  if (name === 'start turn' || name === 'delete') source.advance(1_000_000)
  return { engine, session }
}

/** All sorts of things that may happen between a command and its repeat. */
async function lifeGoesOn(engine: Engine, session: SessionHandle): Promise<void> {
  await session.reopen()
  await session.append([say('grows', 'the whole answer'), say('grew'), say('later')])
  await session.append({ ...say('m1'), usage: { tokens: { input: 9 } } })
  await session.edit('m2', { text: 'edited' })
  await session.rewind({ to: 'm1' })
  await session.rotate({})
  await session.rename('Another title')
  await session.append([say('after the rotation')])
  await session.endTurn('t0')
  await session.endTurn('t1')
  await session.releaseRoute('chat')
  await session.end({ reason: 'enough' })
  sure(await engine.delete([session.id]))
}

/** What is the same however often it is asked. */
function told(outcome: Outcome): object {
  const { repeated, handle, keeps, unread, ...rest } = {
    handle: null,
    keeps: null,
    unread: null,
    ...outcome,
    repeated: null,
  }
  void [repeated, handle, keeps, unread]
  return rest
}

describe('a command repeated under its key gives its first outcome, whatever happened since', () => {
  for (const [name, act] of Object.entries({ ...keyed, ...named }))
    test(name, async () => {
      const { engine, session } = await readyWorld(name)
      const first = await act(engine, session, 'once')
      expect(first).toMatchObject({ ok: true, repeated: false })
      expect(first.ok && first.events.length).not.toBe(0)
      if (name !== 'delete') await lifeGoesOn(engine, session)
      const before = (await session.events()).length
      const again = await act(engine, session, 'once')
      expect(told(again)).toEqual(told(first))
      expect(again).toMatchObject({ repeated: true })
      expect(await session.events()).toHaveLength(before)
    })
})

describe('a key that another command was made under is refused', () => {
  for (const [name, act] of Object.entries({ ...keyed, ...named })) {
    if (name === 'delete') continue
    test(name, async () => {
      const { engine, session } = await readyWorld(name)
      const [other, before] = name === 'note' ? (['pin', keyed['pin']] as const) : (['note', keyed['note']] as const)
      expect(await before?.(engine, session, 'once'), other).toMatchObject({ ok: true })
      const count = (await session.events()).length
      expect(await act(engine, session, 'once')).toMatchObject({ ok: false, code: 'key-reused', key: 'once' })
      expect(await session.events()).toHaveLength(count)
    })
  }

  test('by a batch that has grown since', async () => {
    const { session } = await readyWorld()
    sure(await session.append([say('a')], { key: 'once' }))
    expect(await session.append([say('a'), say('b')], { key: 'once' })).toMatchObject({
      ok: false,
      code: 'key-reused',
      found: 'MessageAppended',
    })
  })

  test('by another setting, another message, another end of a rewind', async () => {
    const { session } = await readyWorld()
    sure(await session.pin({ key: 'pin' }))
    expect(await session.tag('red', { key: 'pin' })).toMatchObject({ code: 'key-reused' })
    expect(await session.bindRoute({ route: 'chat', key: 'pin' })).toMatchObject({ code: 'key-reused' })
    sure(await session.edit('m1', { text: 'x', key: 'edit' }))
    expect(await session.edit('m2', { text: 'x', key: 'edit' })).toMatchObject({ code: 'key-reused' })
    sure(await session.rewind({ to: 'm2', key: 'rewind' }))
    expect(await session.rewind({ to: 'm1', key: 'rewind' })).toMatchObject({ code: 'key-reused' })
  })
})

test('a repeat names the segment that it landed in, not the present one', async () => {
  const { engine, session } = await readyWorld()
  const first = sure(await session.append([say('a')], { key: 'once' }))
  sure(await session.rotate({ segment: 'second' }))
  sure(await session.rotate({ segment: 'third' }))
  const again = sure(await (await startAgain(engine)).append([say('a')], { key: 'once' }))
  expect([first.landedIn, again.landedIn]).toEqual(['s', 's'])
  const between = sure(await session.append([say('b')], { key: 'twice' }))
  expect(between.landedIn).toBe('third')
})

const startAgain = async (engine: Engine): Promise<SessionHandle> => sure(await engine.session('s')).handle
