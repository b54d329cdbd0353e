const inSession = ['session-deleted', 'ok'] as const

/** What each command of a world may meet; a long run must have met each. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  append: [...inSession, 'nothing to do', 'message-conflict', 'route-generation', 'session-ended', 'turn-lost'],
  archive: [...inSession, 'nothing to do'],
  'bind route': [...inSession, 'nothing to do', 'route-generation', 'route-taken'],
  branch: [...inSession, 'id-taken', 'message-not-found', 'title-taken'],
  compact: [
    ...inSession,
    'no reading',
    'not-held',
    'not-smaller',
    'session-ended',
    'stale-compaction',
    'watermark-covered',
  ],
  'compaction failed': inSession,
  'crash at the next commit': ['after', 'before'],
  delete: ['has-live-turn', 'nothing to do', 'ok'],
  edit: [...inSession, 'message-not-found'],
  end: [...inSession, 'nothing to do'],
  'end turn': [...inSession, 'nothing to do', 'turn-lost', 'turn-not-found'],
  'make a call again': ['no call', 'ok'],
  note: inSession,
  'open anew': ['ok', 'without views'],
  prune: [...inSession, 'message-not-found'],
  'read context': ['ok', 'refused'],
  'record usage': [...inSession, 'nothing to do'],
  'release route': [...inSession, 'route-not-bound'],
  rename: [...inSession, 'nothing to do', 'title-empty', 'title-set-by-person', 'title-taken', 'title-too-long'],
  'renew turn': [...inSession, 'turn-lost', 'turn-not-found'],
  reopen: [...inSession, 'nothing to do'],
  report: [...inSession, 'no session', 'not-a-delegate', 'nothing to do'],
  restore: ['no session', 'not-deleted', 'ok', 'parent-deleted'],
  rewind: [...inSession, 'message-not-found', 'moved-on'],
  rotate: [...inSession, 'already-rotated', 'id-taken', 'message-conflict', 'session-ended'],
  set: [...inSession, 'nothing to do'],
  spawn: [...inSession, 'id-taken', 'session-ended'],
  start: [...inSession, 'id-taken', 'title-taken'],
  'start turn': [...inSession, 'nothing to do', 'session-ended', 'turn-held'],
  undo: [...inSession, 'undo-not-found'],
  'undo compaction': [...inSession, 'compaction-not-found'],
  wait: ['ok'],
}

export const applicableOutcomes: readonly string[] = Object.entries(OUTCOMES).flatMap(([command, outcomes]) =>
  outcomes.map((outcome) => `${command}: ${outcome}`),
)

/** Events that no command of a world writes yet: forgetting has its own properties, and nothing drops claims on these stores. */
export const UNMET: ReadonlySet<string> = new Set(['Redacted', 'PurgeStarted', 'Purged', 'ClaimDropped'])
