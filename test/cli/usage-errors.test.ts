import { describe, expect, test } from 'vitest'
import { call } from './call.ts'

describe('wrong usage', () => {
  test.each([
    [[], 'No command was given'],
    [['lst'], "unknown command 'lst' (Did you mean list?). `refold --help` lists the commands."],
    [['list', 'extra'], "too many arguments for 'list'"],
    [['list', '--lim', '3'], "unknown option '--lim' (Did you mean --limit?)"],
    [['list', '--limit', '0'], '--limit: "0" is no whole number from 1 up.'],
    [['list', '--limit', '1e3'], '--limit: "1e3" is no whole number from 1 up.'],
    [['list', '--limit', '99999999999999999999'], 'is no whole number'],
    [['list', '--sort', 'size'], '--sort: "size" is none of activity, start, title.'],
    [['list', '--db', ''], '--db has an empty value'],
    [['show'], "missing required argument 'SESSION'. `refold show --help` explains it."],
    [['start', '--title'], "option '--title <T>' argument missing"],
    [['start', '--delegate-of', 'a', '--reset-of', 'b'], '--delegate-of and --reset-of exclude each other.'],
    [['end', 'x'], "required option '--reason <R>' not specified"],
    [['end', 'x', '--reason', 'done', '--at', 'noon'], '--at: "noon" is no time'],
    [['rename', 'x', 'y', '--key', ''], '--key: is empty'],
    [['compact', 'x', '--base', '1'], 'A compaction needs --base, --through, --held and --summary-file'],
    [['compact', 'x', '--undo', '--base', '1'], '--undo takes a compaction back'],
    [['append', 'x', '--route', 'r'], '--route and --generation go together.'],
    [['append', 'x', '--each', '--key', 'k'], '--each makes many appends'],
    [['set', 'x', 'colour', 'red'], 'There is no setting "colour".'],
    [['set', 'x', 'pinned', 'true'], 'The command for it is `pin`.'],
    [['set', 'x', 'hidden', 'yes'], 'hidden is true or false.'],
    [['set', 'x', 'host.theme', 'dark'], 'The value of host.theme is no JSON'],
    [['set', 'x', 'reaction', '👍'], 'A reaction needs an emoji and --message.'],
    [['note', 'x', '--kind', 'k', '--data', '{'], '--data is no JSON'],
    [['delete'], "missing required argument 'SESSION'"],
    [['turn'], 'No command was given'],
    [['turn', 'strt'], "unknown command 'strt' (Did you mean start?). `refold turn --help` explains it."],
    [['turn', 'start', 'x', '--lease-ms', '0'], '--lease-ms: "0" is no whole number from 1 up.'],
    [['usage', 'add', 'x'], "required option '--key <KEY>' not specified"],
    [['show', 'x', '--markdown', '--json'], '--markdown and --json exclude each other.'],
    [['import', 'x', '--from', 'word'], '--from: "word" is none of auto, hermes, refold.'],
  ])('%j ends with 2 and says so', async (words, said) => {
    const { exit, output, errors } = await call(words)
    expect(exit).toBe(2)
    const { error } = words.includes('--json') ? JSON.parse(output) : { error: { message: errors } }
    expect(error.message).toContain(said)
  })

  test('is JSON on standard output for who asked for JSON, and nothing else', async () => {
    const { exit, output, errors } = await call(['list', '--limit', 'x', '--json'])
    expect([exit, errors]).toEqual([2, ''])
    expect(output).toBe('{"error":{"code":"usage","message":"--limit: \\"x\\" is no whole number from 1 up."}}\n')
  })

  test('is words on standard error for everybody else', async () => {
    const { output, errors } = await call(['list', '--limit', 'x'])
    expect([output, errors]).toEqual(['', 'refold: --limit: "x" is no whole number from 1 up.\n'])
  })
})

test('the version is one line', async () => {
  expect(await call(['--version'])).toMatchObject({ exit: 0, output: '0.0.0\n' })
})
