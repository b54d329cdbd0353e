import type { Sha256 } from '@refold/events'
import type { ImportedSession } from '@refold/engine'
import { expect, test } from 'vitest'
import { claimNextTitle } from '../../packages/engine/src/commands/title-claim.ts'
import { numberIn } from '../../packages/engine/src/commands/title-text.ts'
import type { Desk } from '../../packages/engine/src/deciding/desk.ts'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { sha256 } from '../support/sha256.ts'

const desk: Desk = {
  namespace: 'default',
  actor: { kind: 'agent', id: 'a' },
  key: 'k',
  keyIsGiven: true,
  now: 0,
  sha256,
  secret: 'secret',
  claims: true,
}

/** The facts of a session with a title, under ids of their own. */
function session(name: string, title: string): ImportedSession {
  const id = (fact: string): string => sha256(`${name} ${fact}`).slice(0, 32)
  return {
    session: name,
    facts: [
      { id: id('start'), event: { type: 'SessionStarted', data: { session: name, origin: { kind: 'root' } } } },
      { id: id('title'), event: { type: 'Renamed', data: { title, by: 'person' } } },
    ],
  }
}

/** Looks for a title in a store where another has the name and its numbers up to `taken`. */
function lookUpsFor(taken: number): { readonly title: string; readonly lookUps: number } {
  let asked = 0
  const remember: Sha256 = (data) => {
    asked = Number(/Plan #(\d+)/.exec(String(data))?.[1] ?? 1)
    return sha256(data)
  }
  const search = claimNextTitle({ ...desk, sha256: remember }, 'Plan', 's')
  let lookUps = 0
  let step = search.next()
  while (step.done !== true) {
    const { value } = step
    if (value.kind !== 'claim') throw new Error(`It asks for a ${value.kind}.`)
    value.reply(
      asked <= taken ? { revision: 0, holder: 'another', taken: 1 } : { revision: -1, holder: null, taken: 0 },
    )
    lookUps += 1
    step = search.next()
  }
  return { title: step.value.title, lookUps }
}

test('a machine finds the next free number of a name that 100,000 sessions have in a few look-ups', () => {
  expect(lookUpsFor(0)).toEqual({ title: 'Plan', lookUps: 1 })
  expect(lookUpsFor(7)).toMatchObject({ title: 'Plan #8' })
  expect(lookUpsFor(100)).toMatchObject({ title: 'Plan #101' })
  const { title, lookUps } = lookUpsFor(100_000)
  expect(title).toBe('Plan #100001')
  expect(lookUps).toBeLessThan(50)
})

test('sessions of one name get the numbers in turn, and a machine that names one again leaves its number', async () => {
  const { engine } = await facadeWorld()
  const titles: (string | null)[] = []
  for (let n = 1; n <= 40; n += 1) {
    const session = await startIn(engine, `s${n}`)
    titles.push(sure(await session.rename('Plan', { by: 'model' })).title)
  }
  expect(titles).toEqual(['Plan', ...Array.from({ length: 39 }, (_, index) => `Plan #${index + 2}`)])
  for (const n of [20, 31]) {
    const session = sure(await engine.session(`s${n}`)).handle
    expect(await session.rename('Plan', { by: 'model' })).toMatchObject({ title: `Plan #${n}`, events: [] })
  }
})

test('imported sessions of one name get the numbers in turn, also of one that is numbered already', async () => {
  const { engine } = await facadeWorld()
  const names = Array.from({ length: 30 }, (_, index) => `s${String(index + 1)}`)
  const sessions = names.map((name, index) => session(name, index % 2 === 0 ? 'Plan' : 'Plan #2'))
  const { warnings } = await engine.importFacts({ tool: 'elsewhere', sessions })
  expect(warnings.map(({ session: name, instead }) => [name, instead])).toEqual(
    names.slice(2).map((name, index) => [name, `Plan #${String(index + 3)}`]),
  )
})

test.each([
  ['Plan', 'Plan #12', 12],
  ['Plan #3', 'Plan #12', 12],
  ['Plan', 'Plan #1', 0],
  ['Plan', 'Plans #12', 0],
  ['Plan', 'Plan', 0],
  ['Plan', 'Plan #99999999999999999999', 0],
])('of the name %j the title %j has the number %i', (name, title, number) => {
  expect(numberIn(name, title)).toBe(number)
})
