import { expect, test } from 'vitest'
import { contextLinesOf, contextOf, facadeWorld, linesOf, startIn, sure } from '../support/facade-world.ts'
import { shownMessages, tipOf, transcriptJson } from '../support/read-log.ts'
import { asks, branched, SessionLog } from '../support/session-log.ts'
import { honest, open, readBy, sentTo, turns } from './conversation.ts'

test('A35: what a branch inherits is read once, where it was, also where a log says it again in the branch', () => {
  const log = new SessionLog()
  for (const id of ['m1', 'm2', 'm3']) log.add('s', asks(id))
  log.add('b', branched('b', 's', log.head('s'), 'm3'))
  log.add('b', asks('b1'))
  log.add('b', asks('m2', 'said again'))
  log.add('b', asks('m3'))
  log.add('s', asks('m1', 'said again'))
  expect(shownMessages(log, 'b')).toEqual(['m1', 'm2', 'm3', 'b1'])
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm3'])
  expect(transcriptJson(log, 'b')[1]).toMatchObject({ id: 'm2', text: 'm2', inherited: true })
  expect(tipOf(log, 'b').messages).toBe(4)
})

test('A37: a message that carries a summary to the model is read once, in its place and as it was said', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  const before = await linesOf(session)
  for (const carrier of ['U4', 'A4']) {
    const carried = { message: carrier, parts: [{ type: 'text', text: 'Cables. And now?' }] as const }
    const all = await honest(session, ['U4', 'A4'])
    sure(await session.compact({ ...all, carrier, wireForms: [carried] }))
    expect(await linesOf(session)).toEqual(before)
    expect((await contextLinesOf(session)).filter((line) => line.includes('Cables.'))).toEqual([
      `${carrier}: Cables. And now?`,
    ])
    sure(await session.undoCompaction())
  }
  await engine.close()
})

test('A38: pruning what a tool gave back shortens what the model is sent, and nothing that a person reads', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const output = 'line of the log\n'.repeat(2_000)
  sure(
    await session.append([
      { id: 'ask', role: 'user', text: 'What does the log say?' },
      { id: 'call', role: 'assistant', toolCalls: [{ id: 'c', name: 'read', arguments: { file: 'log' } }] },
      { id: 'result', role: 'tool', toolCallId: 'c', text: output },
    ]),
  )
  const [read, sent] = [await linesOf(session), (await contextOf(session)).bytes]
  const pruned = { type: 'tool-result', toolCallId: 'c', text: '[pruned]' } as const
  sure(await session.prune('result', { parts: [pruned], why: 'old' }))
  expect(await linesOf(session)).toEqual(read)
  expect((await contextLinesOf(session)).at(-1)).toBe('result: [pruned]')
  expect((await contextOf(session)).bytes).toBeLessThan(sent - output.length / 2)
  sure(await session.prune('result', { parts: null, why: 'needed again' }))
  expect((await contextOf(session)).bytes).toBe(sent)
  await engine.close()
})

test('A42: a person’s words beside a notice of the engine or a result stay words of their own, read and sent', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(
    await session.append([
      { id: 'ask', role: 'user', text: 'Look.' },
      { id: 'call', role: 'assistant', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] },
      { id: 'notice', role: 'user', text: 'The model was changed.', provenance: 'engine' },
      { id: 'words', role: 'user', text: 'Wait!' },
      { id: 'result', role: 'tool', toolCallId: 'c', text: 'seen' },
      { id: 'more', role: 'user', text: 'And this?' },
    ]),
  )
  expect(await readBy(session)).toEqual(['ask', 'call', 'notice', 'words', 'result', 'more'])
  for (const words of ['notice: The model was changed.', 'words: Wait!', 'more: And this?'])
    expect((await contextLinesOf(session)).filter((line) => line === words)).toEqual([words])
  await engine.close()
})

test('A29: one compaction, however often it is written, is one', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  const compaction = { ...(await honest(session)), key: 'once' }
  const first = sure(await session.compact(compaction))
  const after = { context: await session.context(), transcript: await session.transcript({ limit: 1_000 }) }
  for (let time = 0; time < 3; time += 1)
    expect(sure(await (await open(engine, 's')).compact(compaction))).toEqual({ ...first, repeated: true })
  expect({ context: await session.context(), transcript: await session.transcript({ limit: 1_000 }) }).toEqual(after)
  expect(await sentTo(session)).toEqual(['summary', 'U4'])
  await engine.close()
})
