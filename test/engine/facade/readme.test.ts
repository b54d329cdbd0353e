import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEngine } from '@refold/engine'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refold-readme-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the example of the README works as it stands', async () => {
  const engine = await openEngine({ file: join(folder, 'agent.db') })
  const started = await engine.start({ title: 'Fingerprint sensor' })
  if (!started.ok) throw new Error(started.message)
  const session = started.handle

  await session.append([
    { id: 'm1', role: 'user', text: 'Why does the sensor fail when it is cold?' },
    { id: 'm2', role: 'assistant', text: 'Its driver gives up after 200 ms; below 5 °C it needs 350.' },
    { id: 'm3', role: 'user', text: 'And in the rain?' },
  ])

  const held = await session.context()
  if (!('digest' in held)) throw new Error(held.message)
  const compacted = await session.compact({
    base: held.revision,
    watermark: held.revision,
    held: held.digest,
    summary: 'Cold: raise the timeout.',
  })

  const transcript = await session.transcript() // what a person reads: everything, once
  const context = await session.context() // what the model is sent: the summary and the open question
  await engine.close()

  expect(compacted).toMatchObject({ ok: true, kept: ['m3'], covers: 2 })
  expect('entries' in transcript && transcript.entries.map((entry) => [entry.kind, entry.id])).toEqual([
    ['message', 'm1'],
    ['message', 'm2'],
    ['message', 'm3'],
    ['compaction', compacted.ok && compacted.compaction],
  ])
  expect('messages' in context && context.messages.map(({ standsFor, parts }) => [standsFor, parts])).toEqual([
    ['summary', [{ type: 'text', text: 'Cold: raise the timeout.' }]],
    ['message', [{ type: 'text', text: 'And in the rain?' }]],
  ])
})
