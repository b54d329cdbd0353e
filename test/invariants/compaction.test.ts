import { expect, test } from 'vitest'
import { contextOf, facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { turns } from './conversation.ts'

test('A24: forms that an earlier compaction gave lapse with it, and are not counted as what stays', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(
    await session.append([
      ...turns(1, 1),
      { id: 'U2', role: 'user', text: 'And that of line 2, which is much longer?' },
    ]),
  )
  const first = await contextOf(session)
  const form = { message: 'U2', parts: [{ type: 'text', text: 'So.' }] as const }
  const held = { base: first.revision, watermark: first.revision, held: first.digest }
  sure(await session.compact({ ...held, keep: ['U1', 'U2'], carrier: 'U2', wireForms: [form], summary: 'So.' }))
  const second = await contextOf(session)
  const again = { base: second.revision, watermark: second.revision, held: second.digest, summary: 'Cables.' }
  const outcome = await session.compact(again)
  const after = await contextOf(session)
  expect(outcome.ok ? after.bytes : outcome.code).toBe(outcome.ok ? outcome.bytesAfter : 'not-smaller')
  expect(after.bytes).toBeLessThanOrEqual(second.bytes)
  await engine.close()
})
