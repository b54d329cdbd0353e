import { describe, expect, test } from 'vitest'
import { store } from './call.ts'
import { finding, lines, look, question, seen } from './example-messages.ts'

describe('a session from the shell', () => {
  test('is started, talked in, listed and shown', async () => {
    const { refold } = store()
    expect(await refold(['start', '--id', 's1', '--title', 'Fingerprint scanner', '--model', 'opus'])).toEqual({
      session: 's1',
      revision: expect.any(Number),
    })
    const appended = await refold(['append', 's1'], { input: lines(question, look, seen, finding) })
    expect(appended).toEqual({
      session: 's1',
      revision: expect.any(Number),
      appended: 4,
      alreadyThere: 0,
      unread: 0,
      landedIn: 's1',
    })
    const again = await refold(['append', 's1'], { input: lines(question, look, seen, finding) })
    expect(again).toMatchObject({ appended: 0, alreadyThere: 4, revision: appended.revision })

    const list = await refold(['list'])
    expect(list).toEqual({
      sessions: [
        {
          id: 's1',
          tip: 's1',
          segments: ['s1'],
          title: 'Fingerprint scanner',
          titleBy: 'person',
          preview: 'Why does the sensor fail?',
          status: 'waiting',
          archived: false,
          pinned: false,
          origin: { kind: 'root' },
          startedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
          lastActivityAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
          messages: 4,
          delegates: 0,
          turn: null,
          usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
          hidden: false,
          tags: [],
          workspace: null,
          model: 'opus',
        },
      ],
      total: 1,
      cursor: null,
    })

    const shown = await refold(['show', 'Fingerprint scanner'])
    expect(shown).toMatchObject({ session: 's1', revision: appended.revision, cursor: null })
    const messages = shown.entries.filter(({ kind }: { kind: string }) => kind === 'message')
    expect(messages).toEqual([
      { kind: 'message', id: 'm1', role: 'user', text: question.text, at: '2026-06-19T13:11:10.000Z' },
      {
        kind: 'message',
        id: 'm2',
        role: 'assistant',
        text: 'I will look.',
        reasoning: 'Look first.',
        toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'dmesg' } }],
        at: expect.any(String),
      },
      { kind: 'message', id: 'm3', role: 'tool', text: seen.text, toolCallId: 'call_1', at: expect.any(String) },
      { kind: 'message', id: 'm4', role: 'assistant', text: 'It does not answer.', at: expect.any(String) },
    ])
  })

  test('is rewound, and switching back and forth loses nothing', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question, finding) })
    const shownIds = async (): Promise<readonly string[]> =>
      (await refold(['show', 's1'])).entries.flatMap(({ kind, id }: { kind: string; id: string }) =>
        kind === 'message' ? [id] : [],
      )
    const rewound = await refold(['rewind', 's1', '--to', 'm1'])
    expect(rewound).toMatchObject({ session: 's1', events: ['Rewound'], undoId: expect.any(String) })
    await refold(['append', 's1'], { input: lines({ id: 'm5', role: 'user', text: 'Otherwise.' }) })
    expect(await shownIds()).toEqual(['m1', 'm5'])
    const undone = await refold(['undo', 's1'])
    expect(undone).toMatchObject({ events: ['RewindUndone'], undoId: expect.any(String) })
    expect(await shownIds()).toEqual(['m1', 'm4'])
    await refold(['undo', 's1', undone.undoId])
    expect(await shownIds()).toEqual(['m1', 'm5'])
    expect((await refold(['undo', 's1', 'nothing'], { exit: 1 })).error.code).toBe('undo-not-found')
    await refold(['rewind', 's1', '--to', 'start'])
    expect(await shownIds()).toEqual([])
  })

  test('is edited in place', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question) })
    expect(await refold(['edit', 's1', 'm1', '--', 'Why does it fail?'])).toMatchObject({ events: ['MessageEdited'] })
    const [edited] = (await refold(['show', 's1'])).entries
    expect(edited).toMatchObject({ id: 'm1', text: 'Why does it fail?', editedAt: expect.any(String) })
    await refold(['edit', 's1', 'm1'], { input: 'From a file\n' })
    expect((await refold(['show', 's1'])).entries[0].text).toBe('From a file\n')
    await refold(['edit', 's1', 'm1', '--parts'], { input: '[{"type":"text","text":"Parts"}]' })
    expect((await refold(['show', 's1'])).entries[0].text).toBe('Parts')
    expect((await refold(['edit', 's1', 'm1', '--parts'], { input: '{', exit: 1 })).error.code).toBe('bad-input')
  })

  test('branches from any message, and neither changes the other', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1', '--title', 'Scanner'])
    await refold(['append', 's1'], { input: lines(question, finding) })
    const branch = await refold(['branch', 's1', '--from', 'm1', '--id', 's1-b'])
    expect(branch).toMatchObject({ session: 's1-b', revision: expect.any(Number) })
    await refold(['append', 's1-b'], { input: lines({ id: 'b1', role: 'user', text: 'Another way.' }) })
    const entries: { kind: string; id: string; inherited?: boolean }[] = (await refold(['show', 's1-b'])).entries
    expect(
      entries.filter(({ kind }) => kind === 'message').map(({ id, inherited }) => [id, inherited ?? false]),
    ).toEqual([
      ['m1', true],
      ['b1', false],
    ])
    expect((await refold(['show', 's1'])).entries.some(({ id }: { id: string }) => id === 'b1')).toBe(false)
    const row = (await refold(['list'])).sessions.find(({ id }: { id: string }) => id === 's1-b')
    expect(row.origin).toEqual({ kind: 'branch', session: 's1', message: 'm1' })
    expect(await refold(['lineage', 's1-b'])).toMatchObject({ parents: [{ kind: 'branch', session: 's1' }] })
  })
})
