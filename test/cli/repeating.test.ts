import { describe, expect, test } from 'vitest'
import { call, store } from './call.ts'
import { finding, lines, question } from './example-messages.ts'

describe('safe to repeat', () => {
  test('a command under its key writes nothing again and prints the first outcome', async () => {
    const { refold } = store()
    const started = await refold(['start', '--key', 'k1'])
    expect(await refold(['start', '--key', 'k1'])).toEqual(started)
    await refold(['append', started.session], { input: lines(question) })
    const rewound = await refold(['rewind', started.session, '--to', 'start', '--key', 'k2'])
    expect(await refold(['rewind', started.session, '--to', 'start', '--key', 'k2'])).toEqual(rewound)
  })

  test('--expect refuses when the session has moved on', async () => {
    const { refold } = store()
    const { revision } = await refold(['start', '--id', 's1'])
    const { revision: now } = await refold(['append', 's1'], { input: lines(question) })
    expect((await refold(['pin', 's1', '--expect', `${revision}`], { exit: 1 })).error).toMatchObject({
      code: 'moved-on',
      expected: revision,
      actual: now,
    })
    await refold(['pin', 's1', '--expect', `${now}`])
  })

  test('a bad line refuses the whole batch and names the line', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    const bad = await refold(['append', 's1'], { input: `${lines(question)}{"role":\n${lines(finding)}`, exit: 1 })
    expect(bad.error).toMatchObject({ code: 'bad-line', line: 2 })
    expect((await refold(['show', 's1'])).entries).toEqual([])
  })

  test('--each keeps what came before the bad line, and answers each line', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1'])
    const input = `${lines(question, finding)}nonsense\n${lines({ role: 'user', text: 'never' })}`
    const { exit, output } = await call(['--db', db, '--json', 'append', 's1', '--each'], { input })
    expect(exit).toBe(1)
    const said = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(said).toMatchObject([{ appended: 1 }, { appended: 1 }, { error: { code: 'bad-line', line: 3 } }])
    expect((await refold(['show', 's1'])).entries).toHaveLength(2)
  })

  test('a known id with other words is refused and nothing of the batch is written', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    const input = lines(finding, { ...question, text: 'Other words' })
    expect((await refold(['append', 's1'], { input, exit: 1 })).error).toMatchObject({
      code: 'message-conflict',
      messageId: 'm1',
    })
    expect((await refold(['show', 's1'])).entries).toHaveLength(1)
  })
})
