import { test as property } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { openEngine, type Engine, type Outcome, type SessionHandle } from '@refold/engine'
import { openMemoryStore } from '../../../packages/engine/src/stores/memory-store.ts'
import { evolveSession } from '../../../packages/engine/src/deciding/evolve-session.ts'
import { initialSession } from '../../../packages/engine/src/deciding/session-state.ts'
import { streamIn } from '../../support/command-spec.ts'
import { linesOf } from '../../support/facade-world.ts'
import { testSource } from '../../support/test-source.ts'

/*
 * Random commands, through two engines over one log, on few names, so that they meet each other. What each promises alone is
 * specified elsewhere; here is what all of them promise together.
 */

const ids = ['a', 'b', 'c', 'd'] as const
const id = fc.constantFrom(...ids)
const messageId = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5')
const word = fc.constantFrom('one', 'two')
const title = fc.constantFrom('Plan', 'Plan #2', 'Other')

type Command = (session: SessionHandle, engine: Engine, key: string) => Promise<Outcome>

const named = (name: string, run: Command): { readonly name: string; readonly run: Command } => ({ name, run })

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(messageId, word)
      .map(([id, text]) =>
        named(`append ${id} ${text}`, (s, _e, key) => s.append({ id, role: 'user', text }, { key })),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(messageId, fc.nat(3))
      .map(([id, partial]) =>
        named(`grow ${id} ${partial}`, (s, _e, key) =>
          s.append({ id, role: 'assistant', text: `${partial}`, partial }, { key }),
        ),
      ),
  },
  messageId.map((to) => named(`rewind ${to}`, (s, _e, key) => s.rewind({ to, key }))),
  fc.constant(named('undo', (s, _e, key) => s.undo(undefined, { key }))),
  messageId.map((id) => named(`edit ${id}`, (s, _e, key) => s.edit(id, { text: 'edited', key }))),
  fc
    .tuple(title, fc.constantFrom('person' as const, 'model' as const))
    .map(([title, by]) => named(`rename ${title} ${by}`, (s, _e, key) => s.rename(title, { by, key }))),
  fc
    .constantFrom('deliberate' as const, 'accident' as const, 'reset' as const)
    .map((cls) => named(`end ${cls}`, (s, _e, key) => s.end({ reason: cls, class: cls, key }))),
  fc.constant(named('reopen', (s, _e, key) => s.reopen({ key }))),
  id.map((to) =>
    named(`rotate ${to}`, (s, _e, key) =>
      s.rotate({ segment: `${to}-next`, pending: [{ id: 'm5', role: 'user', text: 'one' }], key }),
    ),
  ),
  fc
    .tuple(messageId, id)
    .map(([from, id]) => named(`branch ${id} ${from}`, (s, _e, key) => s.branch({ from, id, key }))),
  id.map((id) => named(`spawn ${id}`, (s, _e, key) => s.spawn({ id, key }))),
  id.map((delegate) =>
    named(`report ${delegate}`, (s, _e, key) => s.report({ delegate, outcome: 'done', message: 'found', key })),
  ),
  fc
    .constantFrom('t1', 't2')
    .map((turn) => named(`turn ${turn}`, (s, _e, key) => s.startTurn({ turn, leaseMs: 5, key }))),
  fc.constantFrom('t1', 't2').map((turn) => named(`end turn ${turn}`, (s, _e, key) => s.endTurn(turn, { key }))),
  fc.constant(named('route', (s, _e, key) => s.bindRoute({ route: 'chat', takeOver: 1, key }))),
  fc.constant(named('archive', (s, _e, key) => s.archive({ by: 'idle', key }))),
  fc.constant(named('pin', (s, _e, key) => s.pin({ key }))),
  id.map((id) => named(`delete ${id}`, (_s, engine, key) => engine.delete([id], { key }))),
  id.map((id) => named(`restore ${id}`, (_s, engine, key) => engine.restore(id, { key }))),
)

const steps = fc.array(fc.record({ session: id, command, engine: fc.nat(1), waits: fc.nat(4) }), {
  maxLength: 40,
  size: 'max',
})

async function world() {
  const source = testSource()
  const store = openMemoryStore(source)
  const engines = [await openEngine({ store, source }), await openEngine({ store, source })] as const
  for (const id of ['a', 'b']) await engines[0].start({ id })
  return { source, store, engines }
}

const log = (store: ReturnType<typeof openMemoryStore>) => store.readAll({ limit: 100_000 })

/** The outcome without what depends on who asks, and when. */
function lasting(outcome: Outcome): object {
  const {
    unread: _unread,
    leaseUntil: _leaseUntil,
    keeps: _keeps,
    ...rest
  } = { unread: 0, leaseUntil: 0, keeps: 0, ...outcome }
  return rest
}

describe('whatever commands come in whatever order', () => {
  property.prop([steps], { numRuns: 80 })(
    'refused means nothing written, and repeated means nothing written again',
    async (steps) => {
      const { source, store, engines } = await world()
      for (const [index, { session, command, engine, waits }] of steps.entries()) {
        source.advance(waits)
        const found = await engines[engine === 0 ? 0 : 1].session(session)
        if (!found.ok) continue
        const before = await log(store)
        const outcome = await command.run(found.handle, engines[0], `key ${index}`)
        const after = await log(store)
        if (!outcome.ok) expect(after, command.name).toEqual(before)
        else if (outcome.events.length > 0) {
          const other = await engines[1].session(session)
          if (!other.ok) throw new Error(other.message)
          const again = await command.run(other.handle, engines[1], `key ${index}`)
          if (again.ok)
            expect([command.name, lasting(again)]).toEqual([command.name, { ...lasting(outcome), repeated: true }])
          else expect([command.name, again.code]).toEqual([command.name, 'session-deleted'])
          expect(await log(store), command.name).toEqual(after)
        }
      }
    },
  )

  property.prop([steps], { numRuns: 20 })('names have one holder, and messages stand once', async (steps) => {
    const { source, store, engines } = await world()
    for (const [index, { session, command, engine, waits }] of steps.entries()) {
      source.advance(waits)
      const found = await engines[engine === 0 ? 0 : 1].session(session)
      if (found.ok) await command.run(found.handle, engines[engine === 0 ? 1 : 0], `key ${index}`)
    }
    const titles: string[] = []
    const routes: string[] = []
    const segments: string[] = []
    for (const session of ids) {
      const events = await store.readStream(streamIn(session), { limit: 10_000 })
      const state = events.reduce(evolveSession, initialSession)
      segments.push(...state.segments)
      if (!state.deleted && state.title) titles.push(state.title.text)
      if (!state.deleted) routes.push(...state.routes.keys())
      const complete = events.filter(
        ({ type, data }) => type === 'MessageAppended' && Object(data).partial === undefined,
      )
      expect(new Set(complete.map(({ data }) => Object(data).id)).size).toBe(complete.length)
      const found = await engines[0].session(session)
      if (found.ok && !state.deleted && state.session) {
        const lines = (await linesOf(found.handle)).map((line) => line.split(':')[0])
        expect(new Set(lines).size).toBe(lines.length)
      }
    }
    for (const names of [titles, routes, segments]) expect(new Set(names).size).toBe(names.length)
  })
})
