import { expect, test } from 'vitest'
import { facadeWorld, linesOf, startIn, sure } from '../support/facade-world.ts'

const by = (session: string) => ({ actor: { kind: 'agent', id: session, session } }) as const

test('a delegate reports itself to its parent, and nobody else there: no delegate of its own, and none beside it', async () => {
  const { engine } = await facadeWorld()
  const root = await startIn(engine, 'root')
  const child = sure(await root.spawn({ id: 'child' })).handle
  sure(await root.spawn({ id: 'beside' }))
  sure(await child.spawn({ id: 'grandchild' }))
  const said = { delegate: 'child', outcome: 'done', message: 'Found it.' } as const
  for (const session of ['grandchild', 'beside'])
    expect(await root.report({ ...said, ...by(session) })).toEqual({
      ok: false,
      code: 'not-allowed',
      message: `${session} works for session root and has no right to report to it. A person may.`,
      session: 'root',
      actor: session,
      command: 'report to',
    })
  expect(await root.report({ ...said, ...by('grandchild'), delegate: 'grandchild' })).toMatchObject({
    code: 'not-a-delegate',
  })
  expect(await linesOf(root)).toEqual([])
  expect(await child.report({ ...said, ...by('grandchild'), delegate: 'grandchild' })).toMatchObject({ ok: true })
  expect(await root.report({ ...said, ...by('child') })).toMatchObject({ ok: true })
})
