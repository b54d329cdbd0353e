import { expect, test } from 'vitest'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'

const wrong: readonly [string, object][] = [
  ['tokens.input', { tokens: { input: -1 } }],
  ['tokens.output', { tokens: { output: NaN } }],
  ['tokens.reasoning', { tokens: { reasoning: Infinity } }],
  ['calls', { tokens: {}, calls: -1 }],
  ['costUsd', { tokens: {}, costUsd: -0.01 }],
  ['costUsd', { tokens: {}, costUsd: NaN }],
]

test.each(wrong)(
  'usage with %s below zero or no number is refused, alone and with a message: %j',
  async (field, given) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const usage = { tokens: {}, ...given }
    const problem: unknown = expect.stringContaining(field)
    const refused = { code: 'event-malformed', fields: { type: 'UsageRecorded', problem } }
    await expect(session.recordUsage({ key: 'k', ...usage })).rejects.toMatchObject(refused)
    await expect(session.append({ id: 'm1', role: 'user', text: 'Hello', usage })).rejects.toMatchObject(refused)
    expect(sure(await session.append({ id: 'm1', role: 'user', text: 'Hello' })).appended).toBe(1)
  },
)

test('nothing spent is usage, too', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  expect(await session.recordUsage({ key: 'k', tokens: { input: 0 }, calls: 0, costUsd: 0 })).toMatchObject({
    ok: true,
  })
})
