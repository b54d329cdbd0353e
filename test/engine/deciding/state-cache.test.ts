import { describe, expect, test } from 'vitest'
import type { EventStore, StreamRange } from '@refold/events'
import { initialSession } from '../../../packages/engine/src/deciding/session-state.ts'
import { runAsync } from '../../../packages/engine/src/deciding/run.ts'
import { makeStates, type States } from '../../../packages/engine/src/deciding/states.ts'
import { encodeState } from '../../../packages/engine/src/deciding/state-snapshot.ts'
import type { StateSnapshot, StateSnapshots } from '../../../packages/engine/src/deciding/state-snapshots.ts'
import { appending } from '../../support/appending.ts'
import { rename } from '../../../packages/engine/src/commands/rename.ts'
import {
  commandWorld,
  message,
  outcomeOf,
  started,
  streamIn,
  write,
  type CommandWorld,
} from '../../support/command-spec.ts'

const stateOf = (world: CommandWorld, states: States = world.driver.states, store: EventStore = world.store) =>
  runAsync(states.sessions.load(streamIn('s')), store, states)

/** The store, with a count of the events that are read from streams. */
function counting(store: EventStore): { readonly store: EventStore; readonly count: () => number } {
  let read = 0
  const counted = Object.create(store, {
    readStream: {
      value: async (stream: string, range: StreamRange) => {
        const events = await store.readStream(stream, range)
        read += events.length
        return events
      },
    },
    head: { value: (stream: string) => store.head(stream) },
    find: { value: (stream: string, id: string) => store.find(stream, id) },
  })
  return { store: counted, count: () => read }
}

function snapshotsIn(kept: Map<string, StateSnapshot>): StateSnapshots {
  return { load: (stream) => kept.get(stream), save: (stream, snapshot) => void kept.set(stream, snapshot) }
}

describe('cached states', () => {
  test('follow what another engine wrote', async () => {
    const world = commandWorld()
    const other: CommandWorld = { ...world, driver: { ...world.driver, states: makeStates() } }
    await write(world, { s: [started] })
    await outcomeOf(world, (desk) => rename(desk, 's', { title: 'Mine' }))
    await outcomeOf(other, (desk) => rename(desk, 's', { title: 'Theirs' }))
    expect(await outcomeOf(world, (desk) => rename(desk, 's', { title: 'Again', by: 'model' }))).toMatchObject({
      code: 'title-set-by-person',
      title: 'Theirs',
    })
  })

  test('are not read again while nothing happened', async () => {
    const world = commandWorld()
    await write(world, { s: [started, message('m1'), message('m2')] })
    const { store, count } = counting(world.store)
    const states = makeStates()
    await stateOf(world, states, store)
    expect(count()).toBe(3)
    await stateOf(world, states, store)
    expect(count()).toBe(3)
  })

  test('of another log with the same stream are folded anew', async () => {
    const one = commandWorld()
    await write(one, { s: [started, { type: 'Renamed', data: { title: 'One', by: 'person' } }] })
    const other = commandWorld()
    await write(other, { s: [started, { type: 'Renamed', data: { title: 'Other', by: 'person' } }, message('m1')] })
    const { states } = one.driver
    expect((await stateOf(one)).title?.text).toBe('One')
    expect((await stateOf(other, states)).title?.text).toBe('Other')
    expect((await stateOf(one)).title?.text).toBe('One')
  })

  test('of a command that failed on the way are not kept', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    await expect(
      world.store.transact?.((log) => {
        const appended = log.append({
          streams: [
            {
              stream: streamIn('s'),
              expected: 'any',
              events: [
                {
                  id: 'f'.repeat(32),
                  type: 'Renamed',
                  version: 1,
                  payload: '{"title":"Never","by":"person"}',
                  recordedAt: 1,
                  actor: { kind: 'person', id: 'ada' },
                },
              ],
            },
          ],
        })
        if (appended.ok) world.driver.states.follow(appended.events)
        throw new Error('the disk is full')
      }),
    ).rejects.toThrow('the disk is full')
    expect((await stateOf(world)).title).toBe(null)
  })
})

describe('snapshots of states', () => {
  test('are written every few hundred events and spare a new process the folding', async () => {
    const kept = new Map<string, StateSnapshot>()
    const world = commandWorld()
    const driver = { ...world.driver, states: makeStates(snapshotsIn(kept)) }
    await write(world, { s: [started] })
    for (let batch = 0; batch < 8; batch += 1) {
      const messages = Array.from({ length: 50 }, (_, index) => ({ id: `m${batch}-${index}`, role: 'user', text: 'x' }))
      await outcomeOf({ ...world, driver }, appending('s', messages))
    }
    expect(kept.get(streamIn('s'))?.revision).toBeGreaterThanOrEqual(300)
    const { store, count } = counting(world.store)
    expect(await stateOf(world, makeStates(snapshotsIn(kept)), store)).toEqual(await stateOf(world))
    expect(count()).toBeLessThan(110)
  })

  test.for([
    ['its hash is not in the log', { hash: '1'.repeat(64) }],
    ['it is ahead of the log', { revision: 900 }],
    ['it is of another version', { version: 0 }],
  ] as const)('do not count when %s', async ([, wrong]) => {
    const world = commandWorld()
    await write(world, { s: [started, { type: 'Renamed', data: { title: 'True', by: 'person' } }, message('m1')] })
    const [, second] = await world.store.readStream(streamIn('s'), { limit: 2 })
    const forged = encodeState({
      ...initialSession,
      session: 's',
      revision: 1,
      title: { text: 'Forged', by: 'person', eventId: '' },
    })
    const snapshot = { revision: 1, hash: second?.hash ?? '', version: 1, state: forged, ...wrong }
    const states = makeStates(snapshotsIn(new Map([[streamIn('s'), snapshot]])))
    expect((await stateOf(world, states)).title?.text).toBe('True')
  })

  test('that cannot be saved do not stop a command', async () => {
    const world = commandWorld()
    const states = makeStates({
      load: () => undefined,
      save: () => {
        throw new Error('the views are locked')
      },
    })
    await write(world, { s: [started] })
    const messages = Array.from({ length: 400 }, (_, index) => ({ id: `m${index}`, role: 'user', text: 'x' }))
    const driver = { ...world.driver, states }
    expect(await outcomeOf({ ...world, driver }, appending('s', messages))).toMatchObject({ ok: true, appended: 400 })
  })
})
