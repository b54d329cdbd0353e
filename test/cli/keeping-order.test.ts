import { describe, expect, test } from 'vitest'
import { store } from './call.ts'
import { finding, lines, question } from './example-messages.ts'

describe('a session in order', () => {
  test('is found by a piece of its id, and not when several fit', async () => {
    const { refold } = store()
    await refold(['start', '--id', 'job-17'])
    await refold(['start', '--id', 'job-18'])
    expect((await refold(['show', 'job-17'])).session).toBe('job-17')
    expect(await refold(['show', 'job-'], { exit: 1 })).toEqual({
      error: {
        code: 'ambiguous-session',
        message: expect.any(String),
        name: 'job-',
        candidates: expect.arrayContaining([
          { session: 'job-17', title: null },
          { session: 'job-18', title: null },
        ]),
      },
    })
    expect((await refold(['show', 'nobody'], { exit: 1 })).error.code).toBe('session-not-found')
  })

  test('is renamed, once for each title', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['start', '--id', 's2'])
    expect(await refold(['rename', 's1', '--', '--odd title'])).toEqual({
      session: 's1',
      revision: expect.any(Number),
      events: ['Renamed'],
      title: '--odd title',
    })
    const taken = await refold(['rename', 's2', '--', '--odd title'], { exit: 1 })
    expect(taken.error).toMatchObject({ code: 'title-taken', session: 's2', title: '--odd title', holder: 's1' })
    expect((await refold(['rename', 's1', '--by', 'model', '--', 'Model’s'], { exit: 1 })).error.code).toBe(
      'title-set-by-person',
    )
    expect(await refold(['rename', 's1', ''])).toMatchObject({ title: null, events: ['Renamed'] })
    await refold(['rename', 's1', 'Again'])
    expect(await refold(['rename', 's1', '--', ' \u200B '])).toMatchObject({ title: null, events: ['Renamed'] })
  })

  test('is deleted with its delegates, by plan, and comes back', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1', '--title', 'Scanner'])
    await refold(['append', 's1'], { input: lines(question) })
    await refold(['start', '--id', 'd1', '--delegate-of', 's1'])
    await refold(['branch', 's1', '--from', 'm1', '--id', 'b1'])
    const plan = await refold(['delete', 's1', '--dry-run'])
    expect(plan).toEqual({
      seeds: ['s1'],
      deletes: ['s1', 'd1'],
      keeps: [{ session: 'b1', because: expect.stringContaining('branch') }],
    })
    const deleted = await refold(['delete', 's1'])
    expect(deleted).toMatchObject({ ...plan, deletionId: expect.any(String), session: 's1' })
    expect((await refold(['show', 's1'], { exit: 1 })).error.code).toBe('session-deleted')
    const [left] = (await refold(['list', '--all'])).sessions
    expect(left).toMatchObject({ id: 'b1', origin: { kind: 'root', was: 'branch' } })
    expect((await refold(['append', 's1'], { input: lines(finding), exit: 1 })).error.code).toBe('session-deleted')
    const restored = await refold(['restore', 's1'])
    expect(restored).toMatchObject({ session: 's1', retitled: [], routesLost: [] })
    expect(new Set(restored.restored)).toEqual(new Set(['d1', 's1']))
    expect((await refold(['show', 'Scanner'])).session).toBe('s1')
  })

  test('is ended, and a deliberate end is not undone by accident', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    await refold(['end', 's1', '--reason', 'crashed', '--class', 'accident'])
    expect((await refold(['list'])).sessions[0].status).toBe('interrupted')
    await refold(['append', 's1'], { input: lines(finding) })
    expect(await refold(['end', 's1', '--reason', 'done'])).toMatchObject({
      events: ['Ended'],
      reason: 'done',
      class: 'deliberate',
      delegates: [],
    })
    const next = lines({ id: 'm8', role: 'user', text: 'More.' })
    expect((await refold(['append', 's1'], { input: next, exit: 1 })).error).toMatchObject({
      code: 'session-ended',
      reason: 'done',
    })
    expect(await refold(['append', 's1', '--reopen'], { input: next })).toMatchObject({ appended: 1 })
    await refold(['end', 's1', '--reason', 'done'])
    expect(await refold(['reopen', 's1'])).toMatchObject({ events: ['Reopened'] })
  })

  test('keeps its flags, settings and notes', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    expect(await refold(['pin', 's1'])).toMatchObject({ events: ['SettingChanged'] })
    expect(await refold(['pin', 's1'])).toMatchObject({ events: [] })
    await refold(['tag', 's1', 'hardware'])
    await refold(['set', 's1', 'model', 'opus', '--provider', 'anthropic'])
    await refold(['set', 's1', 'workspace', '/work'])
    await refold(['set', 's1', 'system-prompt', '--file', '-'], { input: 'Be brief.' })
    await refold(['set', 's1', 'host.theme', '"dark"'])
    await refold(['set', 's1', 'reaction', '👍', '--message', 'm1'])
    await refold(['set', 's1', 'read-mark', '3'])
    expect((await refold(['list'])).sessions[0]).toMatchObject({
      pinned: true,
      tags: ['hardware'],
      model: 'opus',
      workspace: '/work',
    })
    expect((await refold(['context', 's1'])).systemPrompt).toBe('Be brief.')
    await refold(['unpin', 's1'])
    await refold(['untag', 's1', 'hardware'])
    await refold(['set', 's1', 'system-prompt'])
    await refold(['archive', 's1'])
    expect((await refold(['list'])).total).toBe(0)
    expect((await refold(['list', '--archived'])).sessions[0]).toMatchObject({
      archived: true,
      pinned: false,
      tags: [],
    })
    await refold(['unarchive', 's1'])
    await refold(['set', 's1', 'hidden', 'true'])
    expect((await refold(['list'])).total).toBe(0)
    expect((await refold(['list', '--all'])).sessions[0]).toMatchObject({ hidden: true })
    const noted = await refold([
      'note',
      's1',
      '--kind',
      'ci',
      '--text',
      'Red',
      '--shown-to',
      'person',
      '--data',
      '{"build":17}',
    ])
    expect(noted).toMatchObject({ events: ['Noted'], note: expect.any(String) })
    expect((await refold(['show', 's1'])).entries.at(-1)).toMatchObject({ kind: 'note' })
  })

  test('counts usage once for each key', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    const words = [
      'usage',
      'add',
      's1',
      '--key',
      'r1',
      '--model',
      'opus',
      '--input-tokens',
      '1200',
      '--output-tokens',
      '300',
    ]
    expect(await refold([...words, '--cost-usd', '0.25'])).toMatchObject({ events: ['UsageRecorded'] })
    await refold([...words, '--cost-usd', '0.25'])
    const answer = lines({
      id: 'm1',
      role: 'assistant',
      text: 'x',
      usage: { model: 'haiku', inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
    })
    await refold(['append', 's1'], { input: answer })
    const sums = {
      inputTokens: 1210,
      outputTokens: 301,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      calls: expect.any(Number),
      costUsd: 0.75,
    }
    const report = await refold(['usage', 's1', '--by', 'model'])
    expect(report).toMatchObject({ session: 's1', by: 'model', total: sums })
    expect(new Set(report.lines.map(({ group }: { group: string }) => group))).toEqual(new Set(['haiku', 'opus']))
    expect(await refold(['usage'])).toMatchObject({ session: null, by: null, total: sums })
    expect((await refold(['list'])).sessions[0].usage).toEqual({ inputTokens: 1210, outputTokens: 301, costUsd: 0.75 })
  })
})
