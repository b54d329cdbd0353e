import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The stores with known answers lie beside the project and not in it. */
export const folder: string = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  '..',
  '..',
  'shared',
  'data',
  'hermes',
)
export const isThere: boolean = existsSync(folder)

/** One second before September 2026, after every time that the stores mean seriously. */
export const now = 1_788_220_799

export interface Answer {
  readonly totals: {
    readonly sessions: number
    readonly messageRows: number
    readonly conversations: number
    readonly listed: number
  }
  readonly edges: readonly { readonly child: string; readonly kind: string; readonly parent: string }[]
  readonly listOrder?: readonly string[]
  readonly conversations: readonly AnswerConversation[]
  readonly deletionPlan?: readonly DeletionPlan[]
  readonly operations?: readonly { readonly op: string; readonly keeps?: string; readonly yields?: string }[]
}

export interface DeletionPlan {
  readonly seeds: readonly string[]
  readonly deletes: readonly string[]
  readonly orphans: readonly string[]
}

export interface AnswerConversation {
  readonly rootId: string
  readonly segmentIds: readonly string[]
  readonly kind: string
  readonly title: string | null
  readonly tipTitle: string | null
  readonly status: string
  readonly endReason: string | null
  readonly listed: boolean
  readonly archived: boolean
  readonly pinned?: boolean
  readonly branchOf?: string | null
  readonly delegateOf?: string | null
  readonly resetOf?: string | null
  readonly strayOf?: string | null
  readonly afterResetOf?: string
  readonly parentSessionId?: string
  readonly danglingParent?: string
  readonly danglingDelegateOf?: string
  readonly sharedMessages?: number
  readonly startedAt?: number
  readonly lastMessageAt?: number
  readonly lastActive?: number
  readonly messageCount: number
  readonly contextCount: number
  readonly compactions?: number
  readonly rewinds?: number
  readonly neverSummarised?: readonly string[]
  readonly olderShape?: boolean
  readonly newerShape?: boolean
  readonly workspace?: { readonly cwd: string; readonly gitBranch: string; readonly gitRepoRoot: string }
  readonly notices?: readonly { readonly kind: string; readonly text: string; readonly afterMessages: number }[]
  readonly usage?: Readonly<Record<string, number>> & {
    readonly byModel?: Readonly<Record<string, Counted>>
    readonly auxiliary?: Readonly<Record<string, Counted>>
  }
  readonly transcript: readonly AnswerMessage[]
}

export interface Counted {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly apiCalls: number
}

export interface AnswerMessage {
  readonly role: string
  readonly text: string
  readonly chars: number
  readonly sha256: string
  readonly alsoAccept?: readonly (string | { readonly sha256: string })[]
  readonly toolCallId?: string
  readonly toolName?: string
  readonly toolCalls?: readonly {
    readonly id: string
    readonly name: string
    readonly argsChars: number
    readonly argsSha256: string
  }[]
  readonly reasoningChars?: number
  readonly images?: number
  readonly platformMessageId?: string
  readonly observed?: boolean
  readonly toolCallsUnreadable?: boolean
}

export const names: readonly string[] = isThere
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.db'))
      .map((file) => file.slice(0, -'.db'.length))
      .sort()
  : ['(the folder ../shared/data/hermes is absent)']

export const storePath = (name: string): string => join(folder, `${name}.db`)

export function answerOf(name: string): Answer {
  const parsed: Answer = JSON.parse(readFileSync(join(folder, `${name}.expect.json`), 'utf8'))
  return parsed
}
