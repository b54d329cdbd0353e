import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine, verifyStore, systemSource } from '@refold/engine'
import { linesOf, startIn, sure } from '../support/facade-world.ts'

const SECRET = 'xyzzy-plugh-7391'

function storeFile(): { readonly file: string; readonly bytes: () => Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'refold-purge-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const bytes = (): Buffer => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  return { file: join(folder, 'agent.db'), bytes }
}

/** The ways in which words may lie in a file. */
const formsOf = (words: string): readonly Buffer[] => [
  Buffer.from(words),
  Buffer.from(words, 'utf16le'),
  Buffer.from(words, 'utf16le').swap16(),
  ...[0, 1, 2].map((shift) => {
    const coded = Buffer.from('\0'.repeat(shift) + words).toString('base64')
    return Buffer.from(coded.slice(shift === 0 ? 0 : 4, -4))
  }),
  Buffer.from(systemSource.sha256(words)),
  Buffer.from(systemSource.sha256(words), 'hex'),
]

const found = (bytes: Buffer, words: string): readonly number[] =>
  formsOf(words).flatMap((form, index) => (bytes.includes(form) ? [index] : []))

test('a purge leaves nothing of a deleted session in any file, and the chain verifies', async () => {
  const { file, bytes } = storeFile()
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  const s = await startIn(engine)
  const output = `${SECRET} `.repeat(60_000)
  sure(await s.append([{ id: 'u1', role: 'user', text: `my key is ${SECRET}` }]))
  sure(
    await s.append([
      {
        id: 'a1',
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c1', name: 'read', arguments: { path: SECRET } }],
      },
      { id: 't1', role: 'tool', parts: [{ type: 'tool-result', toolCallId: 'c1', text: output }] },
      { id: 'f1', role: 'user', parts: [{ type: 'file', name: SECRET, url: `file:///${SECRET}` }] },
    ]),
  )
  sure(await s.edit('u1', { parts: [{ type: 'text', text: `edited ${SECRET}` }] }))
  sure(await s.append({ id: 'u2', role: 'user', text: `rewound ${SECRET}` }))
  sure(await s.rewind({ to: 'f1' }))
  sure(await s.rename(SECRET))
  sure(await s.set({ key: 'tag', tag: SECRET, present: true }))
  sure(await s.set({ key: 'goal', value: SECRET }))
  sure(await s.set({ key: 'workspace', value: `/${SECRET}` }))
  sure(await engine.search('key'))
  sure(await engine.list())
  expect(found(bytes(), SECRET)).not.toEqual([])

  expect(await engine.purge(['s'])).toMatchObject({ ok: false, code: 'not-deleted' })
  sure(await engine.delete(['s']))
  const plan = sure(await engine.purgePlan(['s']))
  const receipt = sure(await engine.purge(['s']))
  expect(receipt).toMatchObject({
    sessions: ['s'],
    events: plan.events,
    blobs: 1,
    kept: [],
    cleaned: ['views', 'search', 'log'],
    pending: [],
  })
  expect(found(bytes(), SECRET)).toEqual([])
  expect(found(bytes(), output)).toEqual([])
  expect(await verifyStore(engine.store, systemSource.sha256)).toMatchObject({ ok: true })
  expect(await engine.restore('s')).toMatchObject({ code: 'session-purged' })
})

test('a purge keeps what a living branch begins with, and takes the rest', async () => {
  const { file, bytes } = storeFile()
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: 'shared words' }))
  sure(await s.append({ id: 'u2', role: 'user', text: `behind the cut ${SECRET}` }))
  sure(await s.branch({ from: 'u1', id: 'b' }))
  sure(await engine.delete(['s']))
  const receipt = sure(await engine.purge(['s']))
  expect(receipt.kept).toMatchObject([{ session: 's', because: 'session b begins with it' }])
  const b = sure(await engine.session('b')).handle
  expect(await linesOf(b)).toEqual(['u1: shared words'])
  expect(found(bytes(), SECRET)).toEqual([])
  await engine.rebuild()
  expect(await linesOf(b)).toEqual(['u1: shared words'])
})

test('views give the same list, transcript and usage when they are made anew after a purge', async () => {
  const { file } = storeFile()
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: SECRET }))
  sure(await s.rename(SECRET))
  sure(await s.branch({ from: 'u1', id: 'b' }))
  sure(await engine.delete(['s']))
  sure(await engine.purge(['s']))
  sure(await engine.list())
  sure(await engine.search('anything'))
  expect((await engine.doctor()).findings).toEqual([])
})

test('a purge with another engine open takes the words of a delegate and of notes along; asked again, it only cleans', async () => {
  const { file, bytes } = storeFile()
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  const other = await openEngine({ file })
  onTestFinished(() => other.close())
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: `${SECRET} and a long question `.repeat(20) }))
  const d = sure(await s.spawn({ id: 'd', task: SECRET }))
  sure(await s.note({ note: 'n', kind: 'host', shownTo: 'none', data: { id: SECRET } }))
  sure(await other.list())
  sure(await engine.delete(['s']))
  expect(sure(await engine.purge(['s']))).toMatchObject({ sessions: ['s', 'd'], pending: [] })
  expect(found(bytes(), SECRET)).toEqual([])
  expect(d.session).toBe('d')
  expect(sure(await engine.purge(['s']))).toMatchObject({ purgeId: null, events: 0, pending: [] })
  expect((await engine.factsOf('s')).map(({ type }) => type).slice(-2)).toEqual(['PurgeStarted', 'Purged'])
})
