import { describe, expect, test } from 'vitest'
import { call, store } from './call.ts'
import { finding, lines, look, question, seen } from './example-messages.ts'

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m'

describe('what people see', () => {
  test('is never a control that somebody stored', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', `s1${hostile}`, '--model', hostile, '--cwd', `/${hostile}`])
    const session = (await refold(['list'])).sessions[0].id
    await refold(['append', session], {
      input: lines(
        { id: `m${hostile}`, role: `role${hostile}`, author: hostile, text: `text ${hostile}` },
        {
          id: 'm2',
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: hostile },
            { type: 'tool-call', id: 'c', name: hostile, arguments: { a: hostile } },
            { type: 'file', name: hostile, mediaType: hostile, data: 'AAEC' },
            { type: 'other', kind: hostile, data: hostile },
          ],
        },
      ),
    })
    await refold(['tag', session, `tag${hostile}`])
    await refold(['note', session, '--kind', hostile, '--text', hostile, '--shown-to', 'both'])
    await refold(['delegate', 'spawn', session, '--id', `d${hostile}`, '--task', hostile])
    await refold(['set', session, 'system-prompt', hostile])
    await refold(['branch', session, '--from', 'm2', '--id', `b${hostile}`])
    await refold(['end', session, '--reason', hostile])
    const seen: string[] = []
    for (const words of [
      ['list', '--all'],
      ['show', session],
      ['show', session, '--markdown'],
      ['context', session],
      ['lineage', session],
      ['delete', session, '--dry-run'],
      ['show', `nobody ${hostile}`],
      ['usage', session, '--by', 'model'],
      ['pin', session],
      ['reopen', session],
    ]) {
      const { output, errors } = await call(['--db', db, ...words], {
        isTerminal: true,
        environment: { NO_COLOR: '1' },
      })
      seen.push(output, errors)
      const json = await call(['--db', db, '--json', ...words])
      if (json.exit !== 2) seen.push(json.output)
    }
    for (const text of seen) {
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }
    expect(seen.join('')).toContain('␛]0;owned')
  })

  test('is the transcript as it was said', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1', '--title', 'Scanner'])
    await refold(['append', 's1'], { input: lines(question, look, { ...seen, text: 'no answer' }, finding) })
    const { output } = await call(['--db', db, 'show', 'Scanner'])
    expect(output).toContain('user  ')
    expect(output).toContain('  Why does the sensor fail?')
    expect(output).toContain('  → bash {"command":"dmesg"}')
    expect(output).toContain('  no answer')
  })

  test('as Markdown is a document that no text can break out of', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1'])
    const text = 'before\n```\nafter'
    await refold(['append', 's1'], { input: lines(question, look, { ...seen, text }) })
    const { output } = await call(['--db', db, 'show', 's1', '--markdown'])
    expect(output).toMatch(/^# Session s1\n\n## user · 2026-06-19T13:11:10.000Z\n\nWhy does the sensor fail\?\n/)
    expect(output).toContain('````\nbefore\n```\nafter\n````')
    expect(output).toContain('Calls **bash**\n\n```json\n{\n  "command": "dmesg"\n}\n```')
  })

  test('has the columns of the list aligned, whatever the alphabet', async () => {
    const { db, refold } = store()
    for (const [id, title] of [
      ['s1', 'Plain'],
      ['s2', '指紋センサー'],
      ['s3', '🎉 Party'],
    ] as const) {
      await refold(['start', '--id', id, '--title', title])
    }
    const { output } = await call(['--db', db, 'list'], { columns: 200 })
    const [head = '', ...rows] = output.split('\n').slice(0, 4)
    const at = head.indexOf('STATUS')
    const widths: { readonly [id: string]: number } = { s1: 0, s2: 6, s3: 0 }
    for (const row of rows) expect(row.indexOf('empty')).toBe(at - (widths[row.slice(0, 2)] ?? 0))
    expect(output).toContain('3 sessions.')
  })

  test('says how to go on', async () => {
    const { db, refold } = store()
    for (const id of ['s1', 's2']) await refold(['start', '--id', id])
    const { output } = await call(['--db', db, 'list', '--limit', '1', '--sort', 'title'])
    expect(output).toMatch(/1 of 2 sessions\. More: refold list --sort title --limit 1 --cursor \S+ --db \S+/)
    expect((await call(['--db', db, 'rename', 's1', 'Scanner'])).output).toBe('Session s1 is called “Scanner”.\n')
    expect((await call(['--db', db, 'rename', 's1', 'Scanner'])).output).toBe(
      'Session s1 is called “Scanner”. (as it was)\n',
    )
    expect((await call(['--db', db, 'show', 'nobody'])).errors).toMatch(/^refold: No session is called "nobody"\. List/)
  })
})
