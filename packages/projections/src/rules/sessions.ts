import type { Projection, Rules } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { openSession } from './open-session.ts'

/** Runs before all other projections, so that these find the session's row. Claims live in streams of their own. */
const rules: Rules<Tables> = {
  SessionStarted: openSession,
  Ended: openSession,
  Reopened: openSession,
  Archived: openSession,
  Unarchived: openSession,
  Deleted: openSession,
  Restored: openSession,
  Redacted: openSession,
  PurgeStarted: openSession,
  Purged: openSession,
  MessageAppended: openSession,
  MessageEdited: openSession,
  Rewound: openSession,
  RewindUndone: openSession,
  Compacted: openSession,
  CompactionUndone: openSession,
  CompactionFailed: openSession,
  WireFormSet: openSession,
  Rotated: openSession,
  Renamed: openSession,
  DelegateSpawned: openSession,
  DelegateReported: openSession,
  SettingChanged: openSession,
  TurnStarted: openSession,
  TurnRenewed: openSession,
  TurnEnded: openSession,
  UsageRecorded: openSession,
  Noted: openSession,
}

export const sessions: Projection<Tables> = { name: 'sessions', version: 1, tables: {}, rules }
