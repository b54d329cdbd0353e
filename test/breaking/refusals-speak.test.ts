import { expect, test } from 'vitest'
import { facadeWorld, startIn } from '../support/facade-world.ts'

test('a refusal about a message says a sentence and names the message apart from it', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  await session.append({ id: 'm1', role: 'user', text: 'Hello' })
  expect(await session.append({ id: 'm1', role: 'user', text: 'Hullo' })).toEqual({
    ok: false,
    code: 'message-conflict',
    message: 'Message m1 of session s is there already with other content. Edit it, or append under another id.',
    session: 's',
    messageId: 'm1',
  })
  const missing = {
    ok: false,
    code: 'message-not-found',
    message: 'Session s has no message m9. Check the id.',
    session: 's',
    messageId: 'm9',
  }
  expect(await session.rewind({ to: 'm9' })).toEqual(missing)
  expect(await session.branch({ from: 'm9' })).toEqual(missing)
  expect(await session.edit('m9', { text: 'x' })).toEqual(missing)
  expect(await session.prune('m9', { parts: [], why: 'prune' })).toEqual(missing)
})
