import { describe, expect, test } from 'vitest'
import { endTurn, renewTurn, startTurn } from '../../../packages/engine/src/commands/turns.ts'
import { appending } from '../../support/appending.ts'
import { commandWorld, given, outcomeOf, started, write, type CommandWorld } from '../../support/command-spec.ts'

const LEASE = 1_000
const begin = (turn: string) => (desk: Parameters<typeof startTurn>[0]) =>
  startTurn(desk, 's', { turn, holder: `holder of ${turn}`, leaseMs: LEASE })

async function withTurn(turn = 't1'): Promise<CommandWorld> {
  const world = commandWorld()
  await write(world, { s: [started] })
  await outcomeOf(world, begin(turn))
  return world
}

describe('seams 5: turns', () => {
  test('a turn starts with a lease', () =>
    given([started])
      .when(begin('t1'))
      .writes([{ type: 'TurnStarted', data: { turn: 't1', holder: 'holder of t1', leaseMs: LEASE } }], {
        turn: 't1',
        leaseUntil: 1_800_000_000_000 + LEASE,
      }))

  test('a second turn is refused while the lease runs, and told who holds it', async () => {
    const world = await withTurn()
    expect(await outcomeOf(world, begin('t2'))).toMatchObject({
      code: 'turn-held',
      turn: 't1',
      holder: 'holder of t1',
    })
  })

  test('starting the same turn again tells the same', async () => {
    const world = await withTurn()
    expect(await outcomeOf(world, begin('t1'))).toMatchObject({ ok: true, repeated: true, turn: 't1' })
  })

  test('a lease that ran out is taken over, and the late holder is refused', async () => {
    const world = await withTurn()
    world.source.advance(LEASE)
    expect(await outcomeOf(world, begin('t2'))).toMatchObject({ ok: true })
    const late = await outcomeOf(world, appending('s', [{ id: 'm1', role: 'user', text: 'late' }], { turn: 't1' }))
    expect(late).toMatchObject({ code: 'turn-lost', turn: 't1', holder: 'holder of t2' })
    expect(await outcomeOf(world, (desk) => endTurn(desk, 's', { turn: 't1' }))).toMatchObject({ code: 'turn-lost' })
    expect(await outcomeOf(world, (desk) => renewTurn(desk, 's', { turn: 't1' }))).toMatchObject({ code: 'turn-lost' })
  })

  test('each append by the holder renews the lease', async () => {
    const world = await withTurn()
    for (let round = 0; round < 3; round += 1) {
      world.source.advance(LEASE - 1)
      await outcomeOf(world, appending('s', [{ role: 'assistant', text: 'at work' }], { turn: 't1' }))
      expect(await outcomeOf(world, begin('t2'))).toMatchObject({ code: 'turn-held' })
    }
    world.source.advance(LEASE)
    expect(await outcomeOf(world, begin('t2'))).toMatchObject({ ok: true })
  })

  test('a lease is renewed in silence', async () => {
    const world = await withTurn()
    world.source.advance(LEASE - 1)
    expect(await outcomeOf(world, (desk) => renewTurn(desk, 's', { turn: 't1' }))).toMatchObject({ turn: 't1' })
    world.source.advance(LEASE - 1)
    expect(await outcomeOf(world, begin('t2'))).toMatchObject({ code: 'turn-held' })
  })

  test('an append without a turn is accepted while another holds one', async () => {
    const world = await withTurn()
    expect(await outcomeOf(world, appending('s', [{ role: 'user', text: 'and another thing' }]))).toMatchObject({
      appended: 1,
    })
  })

  test('a turn that was never started here is only a label, but none to go on under while another lease runs', async () => {
    const world = await withTurn()
    const labelled = () => outcomeOf(world, appending('s', [{ role: 'user', text: 'hi' }], { turn: 'label' }))
    expect(await labelled()).toMatchObject({ ok: false, code: 'turn-held', turn: 't1', holder: 'holder of t1' })
    world.source.advance(LEASE)
    expect(await labelled()).toMatchObject({ appended: 1 })
  })

  test('a holder that ended its turn itself may still bring what is late', async () => {
    const world = await withTurn()
    await outcomeOf(world, (desk) => endTurn(desk, 's', { turn: 't1' }))
    await outcomeOf(world, begin('t2'))
    expect(await outcomeOf(world, appending('s', [{ role: 'tool', text: 'late' }], { turn: 't1' }))).toMatchObject({
      appended: 1,
    })
  })

  test('an ended turn makes room for the next, and ends once', async () => {
    const world = await withTurn()
    const ended = await outcomeOf(world, (desk) => endTurn(desk, 's', { turn: 't1', outcome: 'failed' }))
    expect(ended).toMatchObject({ events: ['TurnEnded'] })
    expect(await outcomeOf(world, (desk) => endTurn(desk, 's', { turn: 't1' }))).toMatchObject({ repeated: true })
    expect(await outcomeOf(world, begin('t2'))).toMatchObject({ ok: true })
  })

  test('refuses to renew or end a turn that is not there', async () => {
    await given([started])
      .when((desk) => renewTurn(desk, 's', { turn: 't1' }))
      .refuses('turn-not-found')
    await given([started])
      .when((desk) => endTurn(desk, 's', { turn: 't1' }))
      .refuses('turn-not-found')
  })

  test('refuses to start a turn in a session that was ended on purpose', () =>
    given([started, { type: 'Ended', data: { reason: 'done', class: 'deliberate' } }])
      .when(begin('t1'))
      .refuses('session-ended'))
})
