import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, store } from './call.ts'
import { finding, lines, look, question, seen } from './example-messages.ts'

/** A session of four messages, compacted, with a branch. */
async function talked() {
  const made = store()
  const { refold, folder } = made
  await refold(['start', '--id', 's1', '--title', 'Scanner'])
  await refold(['append', 's1'], { input: lines(question, look, seen, finding) })
  const { revision, digest } = await refold(['context', 's1'])
  writeFileSync(join(folder, 'summary.txt'), 'The sensor does not answer.')
  const words = ['compact', 's1', '--base', `${revision}`, '--through', `${revision}`, '--held', digest]
  const { compaction } = await refold([...words, '--keep', 'm4', '--summary-file', 'summary.txt'])
  await refold(['branch', 's1', '--from', 'm2', '--id', 'b1'])
  return { ...made, revision: Number(revision), digest, compaction }
}

describe('why', () => {
  test('says what touched a message and where it is shown', async () => {
    const { refold, compaction, revision } = await talked()
    const why = await refold(['why', 'Scanner', 'm1'])
    expect(Object.keys(why)).toEqual([
      'session',
      'revision',
      'message',
      'kind',
      'role',
      'inheritedFrom',
      'transcript',
      'context',
      'heirs',
      'events',
    ])
    expect(why).toMatchObject({
      session: 's1',
      revision: revision + 1,
      message: 'm1',
      kind: 'message',
      role: 'user',
      inheritedFrom: null,
      transcript: { shown: true, number: 1, of: 4, state: 'complete' },
      heirs: [{ session: 'b1', kind: 'branch', shown: true }],
    })
    expect(why.events.map(({ how }: { how: string }) => how)).toEqual(['appended', 'kept'])
    expect(why.events[0]).toEqual({
      session: 's1',
      revision: revision - 3,
      how: 'appended',
      position: expect.any(Number),
      actor: { kind: 'person', id: 'person', surface: 'cli' },
      type: 'MessageAppended',
      what: 'Message m1 of the user (by person): “Why does the sensor fail?”',
      at: expect.stringMatching(/Z$/),
    })
    const covered = await refold(['why', 's1', 'm2'])
    expect(covered.context).toEqual({
      sent: false,
      because: 'covered',
      compaction,
      by: { session: 's1', revision: revision + 1 },
    })
    expect((await refold(['why', 'b1', 'm2'])).inheritedFrom).toBe('s1')
  })

  test('reads as words on a screen', async () => {
    const { db, compaction, revision } = await talked()
    const { output, exit } = await call(['--db', db, 'why', 's1', 'm2'])
    expect(exit).toBe(0)
    expect(output.split('\n').slice(0, 5)).toEqual([
      `Message m2 of the assistant in session s1 at revision ${revision + 1}`,
      '  transcript: message 2 of 4',
      `  context: not sent, summary ${compaction} (revision ${revision + 1} of s1) stands for it`,
      '  branch b1 begins with it',
      'Events that touched it:',
    ])
  })

  test('of a message that is not there names those that were perhaps meant', async () => {
    const { refold, db } = await talked()
    const { error } = await refold(['why', 's1', 'M'], { exit: 1 })
    expect(error).toMatchObject({
      code: 'message-not-found',
      session: 's1',
      messageId: 'M',
      candidates: ['m1', 'm2', 'm3', 'm4'].map((message) => ({ session: 's1', message })),
    })
    expect((await call(['--db', db, 'why', 's1', 'M'])).errors).toBe(
      'refold: Session s1 has no message M. Did you mean m1, m2, m3, m4?\n',
    )
    await refold(['start', '--id', 's12'])
    await refold(['start', '--id', 's13'])
    expect((await refold(['why', 's1x', 'm1'], { exit: 1 })).error.code).toBe('session-not-found')
  })
})

describe('diff', () => {
  test('says what became of a session between two points', async () => {
    const { refold, revision, digest, compaction } = await talked()
    await refold(['edit', 's1', 'm4', '--', 'It heats up.'])
    await refold(['tag', 's1', 'hardware'])
    await refold(['usage', 'add', 's1', '--key', 'q1', '--input-tokens', '12'])
    const now = revision + 4
    const difference = await refold(['diff', 's1', `${revision}`, 'now'])
    expect(Object.keys(difference)).toEqual([
      'session',
      'from',
      'to',
      'transcript',
      'context',
      'title',
      'settings',
      'tags',
      'usage',
    ])
    expect(difference).toMatchObject({
      session: 's1',
      from: { revision },
      to: { revision: now },
      transcript: {
        messages: { before: 4, after: 4 },
        gained: { count: 1, entries: [{ kind: 'compaction', id: compaction }] },
        lost: { count: 0, entries: [] },
        changed: {
          count: 1,
          entries: [{ before: { id: 'm4', text: finding.text }, after: { id: 'm4', text: 'It heats up.' } }],
        },
      },
      context: { before: { digest, summary: null }, after: { summary: compaction }, systemPrompt: null },
      title: null,
      settings: [],
      tags: { added: ['hardware'], removed: [] },
      usage: { before: { inputTokens: 0 }, after: { inputTokens: 12 } },
    })
    expect(difference.context.removed.entries[0].why).toMatchObject({ because: 'covered', compaction })
    const back = await refold(['diff', 's1', `${now}`, `${revision}`, '--limit', '1'])
    expect(back.tags).toEqual({ added: [], removed: ['hardware'] })
    const long = await refold(['diff', 's1', '1h', 'now'])
    expect([long.from, long.title.after.title]).toEqual([{ revision: -1, at: null }, 'Scanner'])
  })

  test('reads as words on a screen', async () => {
    const { db, refold, revision } = await talked()
    await refold(['rename', 's1', '--', 'Fan'])
    const { output } = await call(['--db', db, 'diff', 's1', `${revision + 1}`, 'now'])
    expect(output.split('\n').slice(1)).toEqual([
      'Transcript: 4 messages',
      expect.stringMatching(/^Context: 3 messages, \d+ bytes$/),
      '  ~ title: "Scanner" became "Fan"',
      '',
    ])
  })
})

describe('--at', () => {
  test('shows transcript and context as they were', async () => {
    const { refold, revision, digest } = await talked()
    const page = await refold(['show', 's1', '--at', `${revision}`])
    expect([page.revision, page.entries.length]).toEqual([revision, 4])
    expect((await refold(['context', 's1', '--at', `${revision}`])).digest).toBe(digest)
    expect((await refold(['show', 's1', '--at', '1'])).entries).toEqual([])
    const before = await refold(['show', 's1', '--at', '-2h'])
    expect(before).toEqual({ session: 's1', revision: -1, entries: [], cursor: null })
    expect((await refold(['show', 's1', '--at', '2d', '--limit', '2'])).revision).toBe(-1)
    expect((await refold(['show', 's1', '--at', 'now'])).revision).toBe(revision + 1)
    // The first message says of itself that it is of 2026-06-19; the others say nothing of when they were.
    const first = await refold(['show', 's1', '--clock', 'messages', '--at', '2026-06-19T13:11:09Z'])
    expect(first.entries).toEqual([])
    const own = await refold(['show', 's1', '--clock', 'messages', '--at', '2026-06-19T13:11:10Z'])
    expect(own.revision).toBe(revision + 1)
  })

  test('on a screen says that there was nothing yet, and how to go back', async () => {
    const { db, revision } = await talked()
    expect((await call(['--db', db, 'show', 's1', '--at', '2020-01-01'])).output).toBe(
      'Session s1 had not begun then.\n',
    )
    const { output } = await call(['--db', db, 'show', 's1', '--at', `${revision}`, '--limit', '1'])
    expect(output).toContain(`show s1 --at ${revision} --cursor `)
  })

  test('a point that is none is wrong usage; a revision that is not there is refused', async () => {
    const { refold, revision } = await talked()
    for (const point of ['noon', '-1', '1.5', '2026-99-99', '99999999999999999999', '3y']) {
      const { error } = await refold(['show', 's1', '--at', point], { exit: 2 })
      expect(error.code).toBe('usage')
      expect(error.message).toMatch(/^--at: /)
    }
    expect((await refold(['show', 's1', '--clock', 'messages'], { exit: 2 })).error.message).toContain('--at')
    expect((await refold(['context', 's1', '--at', '999'], { exit: 1 })).error).toMatchObject({
      code: 'bad-revision',
      session: 's1',
      at: 999,
      revision: revision + 1,
    })
    expect((await refold(['diff', 's1', '0', '999'], { exit: 1 })).error.code).toBe('bad-revision')
    expect((await refold(['diff', 's1', 'x', '0'], { exit: 2 })).error.message).toMatch(/^A: "x" is none of these/)
  })

  test('a name that fits several is refused with the candidates', async () => {
    const { refold } = await talked()
    await refold(['start', '--id', 'sensor-1'])
    await refold(['start', '--id', 'sensor-2'])
    for (const words of [
      ['show', 'sensor', '--at', '0'],
      ['why', 'sensor', 'm1'],
      ['diff', 'sensor', '0', '1'],
    ])
      expect((await refold(words, { exit: 1 })).error).toMatchObject({
        code: 'ambiguous-session',
        candidates: [{ session: 'sensor-1' }, { session: 'sensor-2' }],
      })
  })
})

describe('replay', () => {
  test('stops when it is told to, and says that nothing was written', async () => {
    const { refold, db } = store()
    await refold(['start', '--id', 's1'])
    const many = Array.from({ length: 2_000 }, (_, n) => ({ id: `m${n}`, role: 'user', text: 'x' }))
    await refold(['append', 's1'], { input: lines(...many) })
    const before = process.listenerCount('SIGINT')
    const replaying = call(['--db', db, 'replay'])
    const listening = setInterval(() => {
      if (process.listenerCount('SIGINT') > before) process.emit('SIGINT')
    })
    onTestFinished(() => clearInterval(listening))
    await expect(replaying).rejects.toThrow('Stopped. Nothing was written.')
  })

  test('lists the sessions as they were', async () => {
    const { refold, db } = store()
    await refold(['start', '--id', 's1', '--title', 'Scanner'])
    const then = await refold(['list'])
    const { replay } = await refold(['replay'])
    await refold(['rename', 's1', '--', 'Fan'])
    await refold(['start', '--id', 's2'])
    await refold(['delete', 's1'])
    const replayed = await refold(['replay', '--until', `${replay.position}`])
    expect({ ...replayed, replay: undefined }).toEqual({ ...then, replay: undefined })
    expect(replayed.replay).toEqual({
      events: replay.events,
      position: replay.position,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const { replay: _all, ...now } = await refold(['replay', '--all'])
    expect(now).toEqual(await refold(['list', '--all']))
    expect(await refold(['replay', '--until', '2h'])).toEqual({
      sessions: [],
      total: 0,
      cursor: null,
      replay: { events: 0, position: 0, at: expect.any(String) },
    })
    expect((await refold(['replay', '--until', '99999'], { exit: 1 })).error.code).toBe('bad-position')
    const { output } = await call(['--db', db, 'replay', '--until', `${replay.position}`])
    expect(output).toMatch(/^Replay of \d events up to position \d+, \d{4}-.*:\nID /)
    expect(output).toContain('Scanner')
  })
})
