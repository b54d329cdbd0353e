import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SessionRow } from '@refold/engine'
import { importHistory } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import { type Answer, type AnswerConversation, answerOf, isThere, names, storePath } from './hermes/known-answers.ts'
import { engineKinds, source, withEngine } from './importing/engines.ts'
import { handleOf, messagesOf, rowsOf } from './importing/view-of.ts'

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16)
const sorted = (ids: Iterable<string>): readonly string[] => [...new Set(ids)].sort()

describe.skipIf(!isThere).each(names)('the store %s', (name) => {
  const answer: Answer = isThere ? answerOf(name) : { totals: none, edges: [], conversations: [] }

  test.each(engineKinds)('is imported into %s as its expectation says', async (kind) => {
    await withEngine(kind, async (engine) => {
      const before = digest(readFileSync(storePath(name), 'latin1'))
      const first = await importHistory(engine, storePath(name), { source })
      expect(digest(readFileSync(storePath(name), 'latin1'))).toBe(before)
      expect(first).toMatchObject({ format: 'hermes', sessions: answer.totals.conversations, alreadyThere: 0 })
      const again = await importHistory(engine, storePath(name), { source })
      expect(again).toMatchObject({ events: 0, messages: 0, sessions: answer.totals.conversations })
      expect(again.alreadyThere).toBeGreaterThan(0)

      const rows = await rowsOf(engine)
      expect(sorted(rows.map(({ id }) => id))).toEqual(sorted(answer.conversations.map(({ rootId }) => rootId)))
      const plain = await engine.list({ limit: 100_000 })
      if (!('sessions' in plain)) throw new Error('There is no list')
      const listed = answer.conversations.filter((one) => one.listed && !one.archived).map(({ rootId }) => rootId)
      expect(sorted(plain.sessions.map(({ id }) => id))).toEqual(sorted(listed))
      expect(plain.total).toBe(listed.length)
      if (answer.listOrder !== undefined) expect(plain.sessions.map(({ tip }) => tip)).toEqual(answer.listOrder)

      const rootOf = new Map(answer.conversations.flatMap((one) => one.segmentIds.map((id) => [id, one.rootId])))
      const yields = new Set((answer.operations ?? []).flatMap(({ yields: loser }) => loser ?? []))
      for (const wanted of answer.conversations) {
        const row = rows.find(({ id }) => id === wanted.rootId)
        if (row === undefined) throw new Error(`${wanted.rootId} is missing`)
        expect(facts(row)).toEqual(wantedFacts(wanted, rootOf))
        if (yields.has(wanted.rootId)) expect(row.title).not.toBe(wanted.title)
        else expect(row.title).toBe(wanted.title)
        expect(statuses[wanted.status]).toContain(row.status)
        if (wanted.usage !== undefined)
          expect([row.usage.inputTokens, row.usage.outputTokens]).toEqual([
            wanted.usage['inputTokens'],
            wanted.usage['outputTokens'],
          ])
        const messages = await messagesOf(engine, wanted.rootId)
        expect(messages.map(said)).toEqual(wanted.transcript.map(wantedSaid(messages)))
        for (const id of wanted.segmentIds) expect((await handleOf(engine, id)).id).toBe(wanted.rootId)
      }
      for (const { seeds, deletes } of answer.deletionPlan ?? []) {
        const plan = await engine.deletionPlan(seeds)
        if (!('deletes' in plan)) throw new Error('There is no plan')
        expect(sorted(plan.deletes.map((id) => rootOf.get(id) ?? id))).toEqual(
          sorted(deletes.map((id) => rootOf.get(id) ?? id)),
        )
      }
    })
  })
})

const none = { sessions: 0, messageRows: 0, conversations: 0, listed: 0 }

const statuses: Readonly<Record<string, readonly string[]>> = {
  open: ['running', 'waiting', 'empty'],
  ended: ['ended'],
  interrupted: ['interrupted'],
}

function facts({ segments, tip, archived, messages, origin }: SessionRow): object {
  const session = 'session' in origin && origin.kind !== 'untyped' ? origin.session : null
  return { segments, tip, archived, messages, kind: origin.kind, session }
}

function wantedFacts(wanted: AnswerConversation, rootOf: ReadonlyMap<string, string>): object {
  const from = wanted.branchOf ?? wanted.delegateOf ?? wanted.resetOf ?? wanted.strayOf ?? null
  return {
    segments: wanted.segmentIds,
    tip: wanted.segmentIds.at(-1),
    archived: wanted.archived,
    messages: wanted.messageCount,
    kind: wanted.kind,
    session: from === null || wanted.kind === 'untyped' ? null : (rootOf.get(from) ?? from),
  }
}

type MessageJson = Awaited<ReturnType<typeof messagesOf>>[number]

function said({ role, text, toolCallId, toolCalls }: MessageJson): object {
  const calls = Array.isArray(toolCalls) ? toolCalls : []
  return {
    role,
    sha256: digest(typeof text === 'string' ? text : ''),
    toolCallId: toolCallId ?? null,
    calls: calls.map((call) =>
      call !== null && typeof call === 'object' && 'id' in call ? [call.id, call['name']] : call,
    ),
  }
}

/** Where a part list was stored as plain text, both renderings are right. */
function wantedSaid(
  messages: readonly MessageJson[],
): (wanted: AnswerConversation['transcript'][number], at: number) => object {
  return ({ role, sha256, alsoAccept = [], toolCallId, toolCalls, toolCallsUnreadable }, at) => {
    const text = messages[at]?.['text']
    const got = digest(typeof text === 'string' ? text : '')
    const isAccepted = alsoAccept.some((other) =>
      typeof other === 'string' ? other === text || other === got : other.sha256 === got,
    )
    return {
      role,
      sha256: isAccepted ? got : sha256,
      toolCallId: toolCallId ?? null,
      calls: toolCallsUnreadable === true ? [] : (toolCalls ?? []).map(({ id, name }) => [id, name]),
    }
  }
}
