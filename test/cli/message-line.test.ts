import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { messageLine } from '../../packages/cli/src/input/message-line.ts'
import { readLines } from '../../packages/cli/src/input/read-lines.ts'
import { eachMessage, readMessages } from '../../packages/cli/src/input/read-messages.ts'

async function* chunks(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

async function* breakingPipe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"role":"user","text":"1"}\n{"role"')
  throw new Error('the pipe broke')
}

const linesUnder = (...turns: readonly (string | undefined)[]): AsyncGenerator<Uint8Array> =>
  chunks(turns.map((turn) => `${JSON.stringify({ role: 'user', turn })}\n`).join(''))

const problem = (value: unknown): string => {
  try {
    messageLine(typeof value === 'string' ? value : JSON.stringify(value))
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
  return 'taken'
}

describe('a message line', () => {
  test('takes the short form', () => {
    expect(messageLine('{"id":"m1","role":"user","text":"Hello","at":"2026-06-19T13:11:08Z"}')).toEqual({
      message: { id: 'm1', role: 'user', text: 'Hello', at: 1781874668000 },
      turn: undefined,
    })
  })

  test('takes parts, and the bytes of an image', () => {
    const { message } = messageLine(
      '{"role":"user","parts":[{"type":"text","text":"See"},{"type":"image","mediaType":"image/png","data":"AAEC"}]}',
    )
    expect(message.parts).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image', mediaType: 'image/png', data: new Uint8Array([0, 1, 2]) },
    ])
  })

  test('takes usage in the words that the command prints', () => {
    const { message } = messageLine(
      '{"role":"assistant","text":"x","usage":{"model":"opus","inputTokens":5,"outputTokens":2,"costUsd":0.1}}',
    )
    expect(message.usage).toEqual({ model: 'opus', tokens: { input: 5, output: 2 }, costUsd: 0.1 })
  })

  test.each([
    ['', 'Unexpected end of JSON input'],
    ['{"role":"user"', 'JSON'],
    ['[]', 'it is []; needed is an object'],
    ['null', 'it is null; needed is an object'],
    [{ text: 'x' }, 'role is missing'],
    [{ role: '' }, 'role is ""; needed is text that is not empty'],
    [{ role: 'user', txet: 'x' }, 'txet is no field that is known here'],
    [{ role: 'user', text: 7 }, 'text is 7; needed is text'],
    [{ role: 'user', text: 'x', parts: [] }, 'text stands beside parts'],
    [{ role: 'user', partial: -1 }, 'partial is -1; needed is a whole number from 0 up'],
    [{ role: 'user', partial: true }, 'partial is true'],
    [{ role: 'user', at: 'yesterday' }, 'at is "yesterday"; needed is a time'],
    [{ role: 'user', shownTo: 'none' }, 'shownTo is "none"; needed is both, person, model'],
    [{ role: 'user', usage: { tokens: 5 } }, 'usage.tokens is no field that is known here'],
    [{ role: 'user', toolCalls: [{ id: 'c' }] }, 'toolCalls[0].name is missing'],
    [{ role: 'user', parts: [{ type: 'txt' }] }, 'parts[0]'],
    [{ role: 'user', parts: [{ type: 'image', data: 'AAE' }] }, 'parts[0].data'],
    ['{"role":"user","__proto__":{"x":1}}', '__proto__ is no field'],
  ])('refuses %j and names the field', (value, said) => {
    expect(problem(value)).toContain(said)
  })
})

describe('lines of standard input', () => {
  test('are cut at line feeds wherever the chunks end, also within a character', async () => {
    const bytes = Buffer.from('{"role":"user","text":"é"}\r\n\n{"role":"user","text":"b"}')
    const at = bytes.indexOf(0xc3) + 1
    const { messages } = await readMessages(chunks(bytes.subarray(0, at), bytes.subarray(at)))
    expect(messages).toEqual([
      { role: 'user', text: 'é' },
      { role: 'user', text: 'b' },
    ])
  })

  test.prop([fc.array(fc.string()), fc.integer({ min: 1, max: 7 })], { seed: 44 })(
    'come out as they went in for chunks of any size (seed 44)',
    async (texts, size) => {
      const lines = texts.map((text) => text.replaceAll('\n', ' '))
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, at * size + size),
      )
      const found: string[] = []
      for await (const line of readLines(chunks(...pieces))) found.push(Buffer.from(line.bytes).toString())
      expect(found).toEqual(lines.map((line) => Buffer.from(line).toString()))
    },
  )

  test('name the bad one by its number, empty lines counted', async () => {
    await expect(readMessages(chunks('{"role":"user"}\n\n{"role":'))).rejects.toMatchObject({
      code: 'bad-line',
      fields: { line: 3 },
    })
  })

  test('that are no UTF-8 are refused and not patched', async () => {
    await expect(readMessages(chunks(new Uint8Array([0x7b, 0xff, 0x7d])))).rejects.toMatchObject({
      code: 'bad-line',
      fields: { line: 1, problem: 'it is not UTF-8' },
    })
  })

  test('of one batch stand under one turn', async () => {
    expect((await readMessages(linesUnder(undefined, 't1', 't1'))).turn).toBe('t1')
    await expect(readMessages(linesUnder('t1', 't2'))).rejects.toMatchObject({ fields: { line: 2 } })
  })

  test('are handed on as they arrive', async () => {
    const seen: (string | undefined)[] = []
    await expect(
      (async () => {
        for await (const { message } of eachMessage(breakingPipe())) seen.push(message.text)
      })(),
    ).rejects.toThrow('the pipe broke')
    expect(seen).toEqual(['1'])
  })
})
