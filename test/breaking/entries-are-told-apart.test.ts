import { expect, test } from 'vitest'
import { facadeWorld, startIn, sure, transcriptOf } from '../support/facade-world.ts'

test('no two entries of a branch have the same kind and id, whatever its origin and itself went through', async () => {
  const { engine } = await facadeWorld()
  const origin = await startIn(engine, 'origin')
  const live = async (session: typeof origin, message: string): Promise<void> => {
    sure(await session.set({ key: 'model', value: `large-${message}` }))
    sure(await session.set({ key: 'model', value: `small-${message}` }))
    sure(await session.end({ reason: 'crash', class: 'accident' }))
    sure(await session.append({ id: message, role: 'user', text: message }))
  }
  await live(origin, 'm1')
  const { session } = sure(await origin.branch({ from: 'm1', id: 'twig' }))
  const twig = sure(await engine.session(session)).handle
  await live(twig, 'm2')
  const { entries } = await transcriptOf(twig)
  expect(entries.map(({ kind, inherited }) => [kind, inherited])).toEqual([
    ['model', true],
    ['end', true],
    ['reopen', true],
    ['message', true],
    ['branch', false],
    ['model', false],
    ['model', false],
    ['end', false],
    ['reopen', false],
    ['message', false],
  ])
  expect(new Set(entries.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(entries.length)
})
