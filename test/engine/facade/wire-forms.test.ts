import { expect, test } from 'vitest'
import { contextLinesOf, contextOf, facadeWorld, startIn, sure } from '../../support/facade-world.ts'

const form = (text: string) => ({ message: 'b', parts: [{ type: 'text', text }] as const })

test('of several forms for one message a compaction keeps the last, and measures that', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  const long = 'long words '.repeat(50)
  sure(
    await session.append([
      { id: 'a', role: 'user', text: long },
      { id: 'b', role: 'assistant', text: long },
    ]),
  )
  const { revision, digest } = await contextOf(session)
  const { bytesAfter } = sure(
    await session.compact({
      base: revision,
      watermark: revision,
      held: digest,
      keep: ['a', 'b'],
      summary: 'S',
      wireForms: [form(long.repeat(3)), form('the last form')],
    }),
  )
  expect(await contextLinesOf(session)).toContain('b: the last form')
  expect((await contextOf(session)).bytes).toBe(bytesAfter)
})

const result = (id: string) => ({ id, role: 'tool', toolCallId: 'c', text: 'found '.repeat(80) }) as const

test('a result that came twice is sent once, so that only the first can be kept', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(
    await session.append([
      { id: 'q', role: 'user', text: 'why? '.repeat(80) },
      { id: 'call', role: 'assistant', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] },
      result('once'),
      result('twice'),
      { id: 'a', role: 'assistant', text: 'because '.repeat(80) },
    ]),
  )
  const { revision, digest } = await contextOf(session)
  const { kept } = sure(
    await session.compact({ base: revision, watermark: revision, held: digest, keep: ['q', 'twice'], summary: 'S' }),
  )
  expect(kept).toEqual(['q'])
})
