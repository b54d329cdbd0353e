import { describe, expect, test } from 'vitest'
import { store } from './call.ts'
import { lines, question } from './example-messages.ts'

describe('sessions that work together', () => {
  test('has delegates that report once', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    const spawned = await refold(['delegate', 'spawn', 's1', '--id', 'd1', '--task', 'Read the data sheet'])
    expect(spawned).toMatchObject({ session: 'd1', parent: 's1' })
    const words = ['delegate', 'report', 's1', 'd1', '--outcome', 'done', '--message', '10 ms']
    const reported = await refold(words)
    expect(reported.events).toContain('DelegateReported')
    expect(reported.injectedAs).toEqual(expect.any(String))
    await refold(words)
    const context = await refold(['context', 's1'])
    expect(context.messages.filter(({ text }: { text: string }) => text.includes('10 ms'))).toHaveLength(1)
    const card = (await refold(['show', 's1'])).entries.find(({ kind }: { kind: string }) => kind === 'delegate')
    expect(card).toMatchObject({ kind: 'delegate', session: 'd1', task: 'Read the data sheet', status: 'done' })
    expect((await refold(['list'])).total).toBe(1)
    expect((await refold(['list', '--all'])).total).toBe(2)
  })

  test('has one working turn at a time', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    const turn = await refold(['turn', 'start', 's1', '--turn', 't1', '--holder', 'desktop', '--lease-ms', '60000'])
    expect(turn).toMatchObject({ events: ['TurnStarted'], turn: 't1', leaseUntil: expect.stringMatching(/Z$/) })
    const other = await refold(['turn', 'start', 's1', '--holder', 'phone'], { exit: 1 })
    expect(other.error).toMatchObject({ code: 'turn-held', turn: 't1', holder: 'desktop' })
    const [row] = (await refold(['list'])).sessions
    expect(row).toMatchObject({ status: 'running', turn: { id: 't1', leaseUntil: expect.stringMatching(/Z$/) } })
    expect((await refold(['delete', 's1'], { exit: 1 })).error.code).toBe('has-live-turn')
    expect(await refold(['turn', 'renew', 's1', 't1'])).toMatchObject({ events: ['TurnRenewed'], turn: 't1' })
    await refold(['append', 's1'], { input: lines({ ...question, turn: 't1' }) })
    expect(await refold(['turn', 'end', 's1', 't1'])).toMatchObject({ events: ['TurnEnded'] })
    expect((await refold(['list'])).sessions[0]).toMatchObject({ status: 'waiting', turn: null })
  })

  test('is led to by routes', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['start', '--id', 's2'])
    expect(await refold(['route', 'bind', 's1', 'chat:42'])).toMatchObject({
      session: 's1',
      route: 'chat:42',
      generation: 1,
    })
    expect(await refold(['route', 'resolve', 'chat:42'])).toEqual({ route: 'chat:42', session: 's1', generation: 1 })
    expect((await refold(['route', 'bind', 's2', 'chat:42'], { exit: 1 })).error).toMatchObject({
      code: 'route-taken',
      holder: 's1',
      generation: 1,
    })
    await refold(['route', 'bind', 's2', 'chat:42', '--take-over', '1'])
    const late = ['append', 's1', '--route', 'chat:42', '--generation', '1']
    expect((await refold(late, { input: lines(question), exit: 1 })).error).toMatchObject({
      code: 'route-generation',
      current: 2,
    })
    await refold(['route', 'release', 's2', 'chat:42'])
    expect(await refold(['route', 'resolve', 'chat:42'])).toEqual({ route: 'chat:42', session: null, generation: 2 })
    expect(await refold(['route', 'resolve', 'never'])).toEqual({ route: 'never', session: null, generation: 0 })
  })

  test('begins anew as a reset', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    await refold(['start', '--id', 's2', '--reset-of', 's1'])
    const row = (await refold(['list'])).sessions.find(({ id }: { id: string }) => id === 's2')
    expect(row.origin).toEqual({ kind: 'reset', session: 's1' })
  })
})
