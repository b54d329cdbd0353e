import { createHash } from 'node:crypto'
import { type HermesConversation, type HermesMessage, openHermes, shownMessages } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import { deletionClosure } from './hermes/deletion-closure.ts'
import {
  type Answer,
  type AnswerConversation,
  type AnswerMessage,
  answerOf,
  isThere,
  names,
  now,
  storePath,
} from './hermes/known-answers.ts'

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16)
const codePoints = (text: string): number => Array.from(text).length

describe.skipIf(!isThere).each(names)('the store %s', (name) => {
  const answer: Answer = isThere ? answerOf(name) : { totals: none, edges: [], conversations: [] }
  const reader = isThere ? openHermes(storePath(name), { now }) : null
  const conversations = reader === null ? [] : [...reader.conversations()]
  const byId = new Map(conversations.map((conversation) => [conversation.rootId, conversation]))
  const survey = reader?.survey
  reader?.close()
  const pairs = answer.conversations.flatMap((wanted): [string, AnswerConversation, HermesConversation][] => {
    const got = byId.get(wanted.rootId)
    return got === undefined ? [] : [[wanted.rootId, wanted, got]]
  })

  test('holds these conversations, counted', () => {
    expect(conversations.map(({ rootId }) => rootId).sort()).toEqual(
      answer.conversations.map(({ rootId }) => rootId).sort(),
    )
    expect(survey?.totals).toEqual({
      sessions: answer.totals.sessions,
      messageRows: answer.totals.messageRows,
      conversations: answer.totals.conversations,
    })
    expect(conversations.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(answer.totals.messageRows)
  })

  test('hangs together by these edges', () => {
    expect(new Set(survey?.edges)).toEqual(
      new Set(answer.edges.map(({ child, kind, parent }) => ({ child, kind, parent }))),
    )
  })

  test('deletes what belongs together', () => {
    for (const { seeds, deletes, orphans } of answer.deletionPlan ?? []) {
      expect(deletionClosure(seeds, survey?.edges ?? [])).toEqual({
        deletes: [...deletes].sort(),
        orphans: [...orphans].sort(),
      })
    }
  })

  test('lists the newest activity first', () => {
    const listed = conversations.filter((conversation) => conversation.listed)
    expect(listed).toHaveLength(answer.totals.listed)
    if (answer.listOrder === undefined) return
    const order = listed.sort((a, b) => (b.lastActive ?? 0) - (a.lastActive ?? 0))
    expect(order.map(({ segments }) => segments.at(-1)?.id)).toEqual(answer.listOrder)
  })

  test('lets the newest keep a title that two have', () => {
    for (const { op, keeps, yields } of answer.operations ?? []) {
      if (op === 'titlesAfterImport') expect(byId.get(yields ?? '')?.titleKeptBy).toBe(keeps)
    }
  })

  test.each(pairs)('%s is what its columns say', (_, wanted, got) => {
    expect({
      segments: got.segments.map(({ id }) => id),
      kind: got.origin.kind,
      title: got.title,
      tipTitle: got.tipTitle,
      status: got.status,
      endReason: got.end?.reason ?? null,
      listed: got.listed,
      archived: got.archived,
      pinned: got.pinned,
    }).toEqual({
      segments: wanted.segmentIds,
      kind: wanted.kind,
      title: wanted.title,
      tipTitle: wanted.tipTitle,
      status: wanted.status,
      endReason: wanted.endReason,
      listed: wanted.listed,
      archived: wanted.archived,
      pinned: wanted.pinned ?? false,
    })
    expect(got.origin).toMatchObject(originWanted(wanted))
    if (wanted.startedAt !== undefined) expect(got.startedAt).toBeCloseTo(wanted.startedAt, 2)
    if (wanted.lastMessageAt !== undefined)
      expect(Math.abs((got.lastActive ?? 0) - wanted.lastMessageAt)).toBeLessThan(2)
    if (wanted.lastActive !== undefined) expect(got.lastActive).toBeCloseTo(wanted.lastActive, 2)
    if (wanted.workspace !== undefined) expect(got.segments.at(-1)?.workspace).toEqual(wanted.workspace)
  })

  test.each(pairs)('%s used this', (_, wanted, got) => {
    const { byModel, auxiliary, ...sums } = wanted.usage ?? {}
    for (const [key, value] of Object.entries(sums))
      expect(Object.entries(got.usage).find(([name]) => name === key)?.[1]).toBeCloseTo(value, 6)
    expect(counted(got, 'model', (task) => task === '')).toMatchObject(byModel ?? {})
    expect(counted(got, 'task', (task) => task !== '')).toEqual(auxiliary ?? {})
  })

  test.each(pairs)('%s reads so', (_, wanted, got) => {
    const shown = shownMessages(got)
    expect(shown.map(facts)).toEqual(wanted.transcript.map(wantedFacts))
    expect(shown).toHaveLength(wanted.messageCount)
    expect(new Set(shown.map(({ key }) => key)).size).toBe(shown.length)
    expect(noticesIn(got)).toEqual(wanted.notices ?? [])
  })

  test.each(pairs)('%s would send so many rows, after so many compactions and rewinds', (_, wanted, got) => {
    expect(got.context).toHaveLength(wanted.contextCount)
    for (const row of got.context) expect(row.holds.length + (row.summaryOf === null ? 0 : 1)).toBeGreaterThan(0)
    const compactions = got.items.filter((item) => item.kind === 'compaction')
    if (wanted.compactions !== undefined)
      expect(compactions.filter(({ how }) => how !== 'failed')).toHaveLength(wanted.compactions)
    expect(got.items.filter((item) => item.kind === 'rewind')).toHaveLength(wanted.rewinds ?? 0)
    expect(got.items.filter((item) => item.kind === 'rotation')).toHaveLength(wanted.segmentIds.length - 1)
    if (wanted.neverSummarised !== undefined && wanted.newerShape !== true) {
      const texts = new Map(shownMessages(got).map(({ key, text }) => [key, text]))
      expect(compactions.flatMap(({ unread }) => unread.map((key) => texts.get(key)))).toEqual(wanted.neverSummarised)
    }
  })
})

const none = { sessions: 0, messageRows: 0, conversations: 0, listed: 0 }

function facts(message: HermesMessage): unknown {
  return {
    role: message.role,
    head: Array.from(message.text).slice(0, 80).join(''),
    chars: codePoints(message.text),
    sha256: digest(message.text),
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    calls: message.toolCalls.map((call) => [call.id, call.name, codePoints(call.arguments), digest(call.arguments)]),
    reasoning: codePoints(message.reasoning ?? ''),
    images: message.parts.filter((part) => part.kind === 'image').length,
    platformId: message.platformId,
    observed: message.observed,
    unreadable: message.toolCallsUnreadable !== null,
  }
}

function wantedFacts(message: AnswerMessage): unknown {
  return {
    role: message.role,
    head: Array.from(message.text).slice(0, 80).join(''),
    chars: message.chars,
    sha256: message.sha256,
    toolCallId: message.toolCallId ?? null,
    toolName: message.toolName ?? null,
    calls: (message.toolCalls ?? []).map((call) => [call.id, call.name, call.argsChars, call.argsSha256]),
    reasoning: message.reasoningChars ?? 0,
    images: message.images ?? 0,
    platformId: message.platformMessageId ?? null,
    observed: message.observed ?? false,
    unreadable: message.toolCallsUnreadable ?? false,
  }
}

function originWanted(wanted: AnswerConversation): object {
  const { parentSessionId, danglingParent, danglingDelegateOf, sharedMessages, afterResetOf } = wanted
  // The answers give the conversation that an untyped child hangs on only as a session.
  const rootId = wanted.branchOf ?? wanted.delegateOf ?? wanted.resetOf ?? wanted.strayOf
  return {
    ...(rootId == null ? {} : { rootId }),
    ...(parentSessionId === undefined ? {} : { sessionId: parentSessionId }),
    ...(danglingParent === undefined ? {} : { danglingParent }),
    ...(danglingDelegateOf === undefined ? {} : { mark: danglingDelegateOf }),
    ...(sharedMessages === undefined ? {} : { sharedMessages }),
    ...(afterResetOf === undefined ? {} : { afterResetOf }),
  }
}

function noticesIn(conversation: HermesConversation): unknown[] {
  const notices: unknown[] = []
  let afterMessages = 0
  for (const item of [...conversation.inherited, ...conversation.items]) {
    if (item.kind === 'message' && item.shownTo === 'both' && !item.undone) afterMessages++
    if (item.kind === 'notice') notices.push({ kind: item.noticeKind, text: item.text, afterMessages })
  }
  return notices
}

function counted(conversation: HermesConversation, by: 'model' | 'task', wants: (task: string) => boolean): object {
  const sums: Record<string, { inputTokens: number; outputTokens: number; apiCalls: number }> = {}
  for (const row of conversation.usage.byModel.filter(({ task }) => wants(task))) {
    const sum = (sums[row[by]] ??= { inputTokens: 0, outputTokens: 0, apiCalls: 0 })
    sum.inputTokens += row.inputTokens
    sum.outputTokens += row.outputTokens
    sum.apiCalls += row.apiCalls
  }
  return sums
}
