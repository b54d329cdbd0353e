import type { Json, OriginKind, TitleAuthor } from '@refold/events'
import { statusWord, type StatusWord } from '../read/status-word.ts'
import type { TipRow } from '../rules/tips-rows.ts'
import { isoTime } from './message-json.ts'

/** Where a session in the list comes from, as it reads today. */
export type ListedOrigin =
  | { readonly kind: 'root'; readonly was?: Exclude<OriginKind, 'root'> }
  | { readonly kind: 'branch'; readonly session: string; readonly message: string | null }
  | { readonly kind: 'delegate'; readonly session: string | null }
  | { readonly kind: 'reset' | 'untyped' | 'stray'; readonly session: string }

/** One session in the list; times are epoch milliseconds. */
export interface SessionRow {
  readonly id: string
  readonly tip: string
  readonly segments: readonly string[]
  readonly title: string | null
  readonly titleBy: TitleAuthor | null
  readonly preview: string | null
  readonly status: StatusWord
  readonly archived: boolean
  readonly pinned: boolean
  readonly hidden: boolean
  readonly tags: readonly string[]
  readonly workspace: string | null
  readonly model: string | null
  readonly origin: ListedOrigin
  readonly startedAt: number
  readonly lastActivityAt: number
  /** Messages that its transcript shows. */
  readonly messages: number
  readonly delegates: number
  readonly turn: { readonly id: string; readonly leaseUntil: number } | null
  /** Its own, without delegates: tokens of the main loop, money of all tasks. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number }
}

/** A list row with what the clock adds: the status word, and a turn only while its lease lasts. */
export function sessionRow(tip: Readonly<TipRow>, segments: readonly string[], now: number): SessionRow {
  const { turn, leaseUntil, inputTokens, outputTokens, costUsd } = tip
  return {
    id: tip.session,
    tip: tip.tip,
    segments,
    title: tip.title,
    titleBy: tip.titleBy,
    preview: tip.preview,
    status: statusWord(tip, now),
    archived: tip.archived !== null,
    pinned: tip.pinned,
    hidden: tip.hidden,
    tags: Array.isArray(tip.tags) ? tip.tags.filter((tag) => typeof tag === 'string') : [],
    workspace: tip.workspace,
    model: tip.model,
    origin: listedOrigin(tip),
    startedAt: tip.startedAt,
    lastActivityAt: tip.lastActivityAt,
    messages: tip.messages,
    delegates: tip.delegates,
    turn: turn !== null && leaseUntil > now ? { id: turn, leaseUntil } : null,
    usage: { inputTokens, outputTokens, costUsd },
  }
}

/** A session whose parent is deleted, or that heads a circle of delegates, reads as a root that was something else. */
export function listedOrigin(tip: Readonly<TipRow>): ListedOrigin {
  const { originKind: kind, originSession: session, originMessage: message } = tip
  if (kind === 'root') return { kind }
  if (tip.parentDeleted || tip.circleRoot) return { kind: 'root', was: kind }
  if (kind === 'delegate') return { kind, session }
  if (session === null) return { kind: 'root', was: kind }
  return kind === 'branch' ? { kind, session, message } : { kind, session }
}

/** A list row as `refold list --json` prints it. */
export function sessionJson(row: SessionRow): { readonly [field: string]: Json } {
  const { turn, startedAt, lastActivityAt, ...rest } = row
  return {
    ...rest,
    origin: { ...row.origin },
    usage: { ...row.usage },
    startedAt: isoTime(startedAt),
    lastActivityAt: isoTime(lastActivityAt),
    turn: turn && { id: turn.id, leaseUntil: isoTime(turn.leaseUntil) },
  }
}
