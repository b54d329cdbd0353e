import { sessionStream, type EventOf, type Recorded, type Setting } from '@refold/events'
import type { Projection, Rules } from '../projection.ts'
import { levelsOf, findEntry } from '../read/levels.ts'
import { isShownMessage } from '../read/entry-role.ts'
import { settingAt } from '../read/setting-at.ts'
import type { TableRows, Tables } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { markDeleted, markPurged, markRestored } from './deleting.ts'
import { endTakes } from './ending.ts'
import { purge, redact, tagsWithout } from './forget.ts'
import { inSession } from './in-session.ts'
import { ownTime } from './message-time.ts'
import { isTakenAlong } from './open-session.ts'
import { canBePreview, firstPreview, previewText } from './preview.ts'
import { recount } from './shown-count.ts'
import { deletions, erasures, listCounts, previews, tips as tipsTable, type TipRow } from './tips-rows.ts'

function start(
  { stream, data, recordedAt, actor }: Recorded<EventOf<'SessionStarted'>>,
  rows: TableRows,
  tip: TipRow,
): void {
  if (tip.started) return
  const { origin } = data
  const { namespace } = tip
  const parent = origin.kind === 'root' ? null : origin.session
  const parentStream = parent === null ? null : sessionStream({ namespace, session: parent })
  const report = parentStream === null ? undefined : rows.delegates.get(parentStream, stream)
  const at = ownTime(data.at, recordedAt)
  const origins = levelsOf(rows, stream).slice(1)
  const inheritedValue = (name: string): string | null => {
    const value = settingAt(rows, origins, name)?.value
    return typeof value === 'string' ? value : null
  }
  changeTip(rows, stream, (draft) => {
    draft.started = true
    if (at !== undefined) beginAt(draft, at)
    draft.startKnown = at !== undefined || actor.kind !== 'importer'
    draft.surface = data.surface ?? draft.surface
    draft.workspace = data.workspace ?? draft.workspace ?? inheritedValue('workspace')
    draft.model = data.model ?? draft.model ?? inheritedValue('model')
    draft.originKind = origin.kind
    draft.originSession = parent
    draft.originMessage = 'cut' in origin ? (origin.cut.through?.message ?? null) : null
    draft.parentDeleted = parent !== null && isTakenAlong(rows, namespace, parent)
    draft.reported = origin.kind === 'delegate' && (report?.outcome ?? null) !== null
  })
  if (origins.length > 0) recount(rows, stream)
}

/** Moves the start; what is known of activity stays, and never lies before it. */
function beginAt(tip: TipRow, at: number): void {
  const hadActivity = tip.lastActivityAt > tip.startedAt
  tip.startedAt = at
  tip.lastActivityAt = hadActivity ? Math.max(tip.lastActivityAt, at) : at
}

/** Counts a message once, when it first appears, and its time whenever it grows. */
function append(
  { stream, revision, position, data, recordedAt, actor }: Recorded<EventOf<'MessageAppended'>>,
  rows: TableRows,
): void {
  const entry = rows.entries.find('id', stream, 'message', data.id)
  if (entry?.content !== revision) return
  const isNew = entry.revision === revision
  const given = ownTime(data.at, recordedAt)
  const text = canBePreview(entry) ? previewText(data.parts) : ''
  if (canBePreview(entry) && (text !== '' || !isNew)) rows.previews.insert({ stream, n: entry.n, revision, text })
  changeTip(rows, stream, (tip) => {
    if (isNew && isShownMessage(entry)) tip.messages += 1
    if (given !== undefined && !tip.startKnown) {
      tip.startKnown = true
      beginAt(tip, given)
    }
    // An import is recorded long after it happened: a message without a time counts as late as the one before it.
    const time = given ?? (actor.kind === 'importer' ? tip.lastActivityAt : recordedAt)
    if (time >= tip.lastActivityAt) {
      tip.lastActivityAt = time
      tip.activityPosition = position
    }
    if (data.turn !== undefined && data.turn === tip.turn)
      tip.leaseUntil = Math.max(tip.leaseUntil, recordedAt + tip.leaseMs)
    if (tip.preview === null && text !== '' && isNew) {
      tip.preview = text
      tip.previewEntry = entry.n
    }
  })
  if (!isNew && canBePreview(entry)) repreview(rows, stream)
}

function repreview(rows: TableRows, stream: string): void {
  const preview = firstPreview(rows, stream)
  changeTip(rows, stream, (tip) => {
    tip.preview = preview?.text ?? null
    tip.previewEntry = preview?.n ?? null
  })
}

function edit({ stream, revision, data }: Recorded<EventOf<'MessageEdited'>>, rows: TableRows): void {
  const entry = findEntry(rows, levelsOf(rows, stream), 'message', data.message)?.entry
  if (!entry || !canBePreview(entry)) return
  rows.previews.insert({ stream, n: entry.n, revision, text: previewText(data.parts) })
  repreview(rows, stream)
}

function changeSetting(tip: TipRow, setting: Setting): void {
  switch (setting.key) {
    case 'model':
      tip.model = setting.value
      return
    case 'workspace':
      tip.workspace = setting.value
      return
    case 'pinned':
      tip.pinned = setting.value
      return
    case 'hidden':
      tip.hidden = setting.value
      return
    case 'tag':
      tip.tags = setting.present
        ? [...tagsWithout(tip.tags, setting.tag), setting.tag]
        : tagsWithout(tip.tags, setting.tag)
      return
    case 'system-prompt':
    case 'goal':
    case 'route':
    case 'read-mark':
    case 'reaction':
    case 'host':
      return
    default: {
      const never: never = setting
      return never
    }
  }
}

const rules: Rules<Tables> = {
  SessionStarted: inSession<'SessionStarted'>(start),
  MessageAppended: inSession<'MessageAppended'>(append),
  MessageEdited: inSession<'MessageEdited'>(edit),
  Rewound: inSession<'Rewound'>(({ stream }, rows) => recount(rows, stream)),
  RewindUndone: inSession<'RewindUndone'>(({ stream }, rows) => recount(rows, stream)),

  Rotated: inSession<'Rotated'>(({ stream, revision, data }, rows) => {
    if (rows.segments.get(stream, data.to)?.revision !== revision) return
    changeTip(rows, stream, (tip) => {
      tip.tip = data.to
    })
  }),

  SettingChanged: inSession<'SettingChanged'>(({ stream, data }, rows) => {
    changeTip(rows, stream, (tip) => changeSetting(tip, data))
  }),

  Ended: inSession<'Ended'>(({ stream, data, recordedAt }, rows, before) => {
    if (!endTakes(before, data.class)) return
    changeTip(rows, stream, (tip) => {
      tip.endClass = data.class
      tip.endReason = data.reason
      tip.endedAt = ownTime(data.at, recordedAt) ?? recordedAt
      tip.turn = null
      tip.turnHolder = null
    })
  }),

  Reopened: inSession<'Reopened'>(({ stream }, rows) => {
    changeTip(rows, stream, (tip) => {
      tip.endClass = null
      tip.endReason = null
      tip.endedAt = null
    })
  }),

  Archived: inSession<'Archived'>(({ stream, data }, rows) => {
    changeTip(rows, stream, (tip) => {
      // A person's decision is not weakened by the idle rule.
      if (tip.archived !== 'person') tip.archived = data.by
    })
  }),

  Unarchived: inSession<'Unarchived'>(({ stream, data }, rows) => {
    changeTip(rows, stream, (tip) => {
      if (data.by === 'person' || tip.archived === 'idle') tip.archived = null
    })
  }),

  Deleted: inSession<'Deleted'>(markDeleted),
  Restored: inSession<'Restored'>(markRestored),
  Redacted: inSession<'Redacted'>(redact),
  PurgeStarted: inSession<'PurgeStarted'>((event, rows, tip) => {
    markPurged(event, rows, tip)
    purge(event, rows)
  }),

  DelegateReported: inSession<'DelegateReported'>(({ data }, rows, { namespace, session }) => {
    const child = sessionStream({ namespace, session: data.session })
    changeTip(rows, child, (tip) => {
      if (tip.originKind === 'delegate' && tip.originSession === session) tip.reported = true
    })
  }),

  TurnStarted: inSession<'TurnStarted'>(({ stream, data, recordedAt }, rows) => {
    changeTip(rows, stream, (tip) => {
      tip.turn = data.turn
      tip.turnHolder = data.holder
      tip.leaseMs = data.leaseMs
      tip.leaseUntil = recordedAt + data.leaseMs
      tip.reported = false // it works on; only another report makes it done again
    })
  }),

  TurnRenewed: inSession<'TurnRenewed'>(({ stream, data, recordedAt }, rows) => {
    changeTip(rows, stream, (tip) => {
      if (tip.turn !== data.turn) return
      tip.leaseMs = data.leaseMs
      tip.leaseUntil = recordedAt + data.leaseMs
    })
  }),

  TurnEnded: inSession<'TurnEnded'>(({ stream, data }, rows) => {
    changeTip(rows, stream, (tip) => {
      if (tip.turn !== data.turn) return
      tip.turn = null
      tip.turnHolder = null
    })
  }),

  Compacted: inSession<'Compacted'>(({ stream }, rows) => {
    changeTip(rows, stream, (tip) => {
      tip.compactionFailures = 0
      tip.cooldownUntil = null
    })
  }),

  CompactionFailed: inSession<'CompactionFailed'>(({ stream, data }, rows) => {
    changeTip(rows, stream, (tip) => {
      tip.compactionFailures += 1
      if (data.cooldownUntil !== undefined) tip.cooldownUntil = Math.max(tip.cooldownUntil ?? 0, data.cooldownUntil)
    })
  }),
}

/** One row a session, with all facts that lists show; how many there are of each list class; which are deleted. */
export const tips: Projection<Tables> = {
  name: 'tips',
  version: 4,
  tables: { tips: tipsTable, previews, listCounts, deletions, erasures },
  rules,
}
