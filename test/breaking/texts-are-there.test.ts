import type { MessageInput, SessionHandle } from '@refold/engine'
import { expect, test } from 'vitest'
import { sha256 } from '../support/sha256.ts'
import { facadeWorld, linesOf, startIn, sure, transcriptOf } from '../support/facade-world.ts'

const blob = 'ab'.repeat(32)
const nowhere = { blob, bytes: 20_000, head: 'Once upon' }
const part = { type: 'text', text: nowhere } as const
const missing = { name: 'RefoldError', code: 'blob-missing', fields: { blob } }

test.each<[string, (session: SessionHandle) => Promise<unknown>]>([
  ['append', (session) => session.append({ id: 'm2', role: 'user', parts: [part] })],
  [
    'append of a result',
    (session) => session.append({ role: 'tool', parts: [{ ...part, type: 'tool-result', toolCallId: 'c' }] }),
  ],
  ['edit', (session) => session.edit('m1', { parts: [part] })],
  ['prune', (session) => session.prune('m1', { parts: [part], why: 'prune' })],
  ['rotate', (session) => session.rotate({ pending: [{ id: 'm2', role: 'user', parts: [part] }] })],
])('%s that names a text which nobody gave is refused, and writes nothing', async (_name, command) => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append({ id: 'm1', role: 'user', text: 'Hello' }))
  const { revision } = await transcriptOf(session)
  await expect(command(session)).rejects.toMatchObject(missing)
  expect((await transcriptOf(session)).revision).toBe(revision)
  expect(await linesOf(session)).toEqual(['m1: Hello'])
})

test('facts of an importer that name a text come with it, or are refused', async () => {
  const { engine } = await facadeWorld()
  const data = { id: 'm1', role: 'user', parts: [part], provenance: 'person', shownTo: 'both' } as const
  const start = {
    id: '1'.repeat(32),
    event: { type: 'SessionStarted', data: { session: 'i', origin: { kind: 'root' } } },
  } as const
  const facts = [start, { id: '2'.repeat(32), event: { type: 'MessageAppended', data } }] as const
  const imported = engine.importFacts({ tool: 'other', sessions: [{ session: 'i', facts }] })
  await expect(imported).rejects.toMatchObject(missing)
  expect(await engine.session('i')).toMatchObject({ code: 'session-not-found' })
})

test('a text that is there may be named, and an attachment whose bytes are elsewhere', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append({ id: 'm1', role: 'user', text: 'long '.repeat(5_000) }))
  const parts = [{ type: 'text', text: { blob: sha256('long '.repeat(5_000)), bytes: 25_000, head: 'long' } }] as const
  expect(await session.append({ id: 'm2', role: 'user', parts })).toMatchObject({ appended: 1 })
  const image = { type: 'image', mediaType: 'image/png', blob } as const
  expect(await session.append({ id: 'm3', role: 'user', parts: [image] })).toMatchObject({ appended: 1 })
})

test('what is no text at all is refused by its schema, as before', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const given: unknown = JSON.parse('{"role":"user","parts":[{"type":"text","text":null}]}')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an untyped caller
  await expect(session.append(given as MessageInput)).rejects.toMatchObject({ code: 'event-malformed' })
})
