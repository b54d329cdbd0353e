import { expect, test } from 'vitest'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { mustAgree } from './must-agree.ts'

test('a world that fails says which events made what differs', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(
    await session.append([
      { id: 'a', role: 'user', text: 'one' },
      { id: 'b', role: 'assistant', text: 'two' },
    ]),
  )
  sure(await session.edit('b', { text: 'edited' }))
  const found = [{ id: 'a' }, { id: 'b', text: 'edited' }]
  await expect(mustAgree(session, 'transcript', found, [{ id: 'a' }, { id: 'b', text: 'two' }])).rejects.toThrow(
    /At 1 stands \{"id":"b","text":"edited"\} where .* was wanted[^]*Message b of the assistant in session s[^]*Events that touched it:[^]*edited[^]*What the last event changed:[^]*~/,
  )
  await mustAgree(session, 'transcript', found, found)
})
