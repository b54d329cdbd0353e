import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { store } from './call.ts'
import { finding, lines, look, question, seen } from './example-messages.ts'

const messagesOf = (page: { readonly entries: readonly { readonly kind: string }[] }) =>
  page.entries.filter(({ kind }) => kind === 'message')

describe("the model's context from the shell", () => {
  test('is compacted by what context said, and the person reads what they read before', async () => {
    const { refold, folder } = store()
    await refold(['start', '--id', 's1'])
    await refold(['append', 's1'], { input: lines(question, look, seen, finding) })
    const context = await refold(['context', 's1'])
    expect(context).toMatchObject({ session: 's1', segment: 's1', bytes: expect.any(Number), systemPrompt: null })
    expect(Object.keys(context).slice(0, 6)).toEqual(['session', 'segment', 'revision', 'digest', 'bytes', 'messages'])
    expect(context.messages[0]).toEqual({ role: 'user', text: question.text, standsFor: 'message', id: 'm1' })
    const before = await refold(['show', 's1'])

    writeFileSync(join(folder, 'summary.txt'), 'The sensor does not answer.')
    const { revision, digest } = context
    const words = ['compact', 's1', '--base', `${revision}`, '--through', `${revision}`, '--held', digest]
    const compacted = await refold([...words, '--keep', 'm4', '--summary-file', 'summary.txt', '--key', 'c1'])
    expect(compacted).toMatchObject({ session: 's1', events: ['Compacted'], bytesBefore: context.bytes })
    expect(compacted.bytesAfter).toBeLessThan(compacted.bytesBefore)
    expect(compacted.kept).toContain('m4')
    const after = await refold(['context', 's1'])
    expect(after.messages[0]).toEqual({
      role: 'user',
      text: 'The sensor does not answer.',
      standsFor: 'summary',
      id: compacted.compaction,
    })
    const shown = await refold(['show', 's1'])
    expect(messagesOf(shown)).toEqual(messagesOf(before))
    expect(shown.entries.find(({ kind }: { kind: string }) => kind === 'compaction')).toMatchObject({
      kind: 'compaction',
      id: compacted.compaction,
      covers: compacted.covers,
      summary: 'The sensor does not answer.',
    })
    const stale = await refold([...words, '--summary-file', '-'], { input: 'Late.', exit: 1 })
    expect(stale.error.code).toBe('stale-compaction')

    expect(await refold(['compact', 's1', '--undo'])).toMatchObject({
      events: ['CompactionUndone'],
      compaction: compacted.compaction,
    })
    expect((await refold(['context', 's1'])).digest).toBe(digest)
  })

  test('is rotated with its pending messages, and every id leads to it', async () => {
    const { refold } = store()
    await refold(['start', '--id', 's1', '--title', 'Scanner'])
    await refold(['append', 's1'], { input: lines(question) })
    const rotated = await refold(['rotate', 's1', '--from', 's1', '--segment', 's1-2'], { input: lines(finding) })
    expect(rotated).toMatchObject({ session: 's1', segment: 's1-2', appended: 1, alreadyThere: 0 })
    expect(rotated.events).toContain('Rotated')
    expect((await refold(['show', 's1-2'])).session).toBe('s1')
    expect(await refold(['append', 's1'], { input: lines({ id: 'm9', role: 'user', text: 'Late.' }) })).toMatchObject({
      session: 's1',
      landedIn: 's1-2',
    })
    const late = await refold(['rotate', 's1', '--from', 's1'], { exit: 1 })
    expect(late.error).toMatchObject({ code: 'already-rotated', winner: 's1-2', pendingWritten: false })
    expect(await refold(['lineage', 's1'])).toEqual({
      session: 's1',
      segments: ['s1', 's1-2'],
      parents: [],
      children: [],
    })
    const { sessions } = await refold(['list'])
    expect(sessions).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ id: 's1', tip: 's1-2', segments: ['s1', 's1-2'], title: 'Scanner' })
  })
})
