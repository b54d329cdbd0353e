import { expect, test } from 'vitest'
import { taken, textOf } from '@refold/engine'
import { facadeWorld } from '../../support/facade-world.ts'

test('what a message says in words is its texts and results, large ones whole, and no reasoning or calls', async () => {
  const { engine } = await facadeWorld()
  const { handle } = taken(await engine.start())
  const long = 'long '.repeat(5_000)
  const call = { id: 'c1', name: 'read', arguments: { path: 'log' } }
  taken(
    await handle.append([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'assistant', text: 'Looking.', reasoning: 'Hm.', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c1', text: long },
    ]),
  )
  const { messages } = taken(await handle.context())
  expect(messages.map(textOf)).toEqual(['one\ntwo', 'Looking.', long])
  const { entries } = taken(await handle.transcript())
  expect(entries.map((entry) => entry.kind === 'message' && textOf(entry))).toEqual(['one\ntwo', 'Looking.', long])
})
