import type { Projection, Rules } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { openAndAdvance, openSession } from './open-session.ts'

/** Runs before all other projections, so that these find the session's row. Claims live in streams of their own. */
const rules: Rules<Tables> = {
  SessionStarted: openAndAdvance,
  Ended: openAndAdvance,
  Reopened: openAndAdvance,
  Archived: openAndAdvance,
  Unarchived: openAndAdvance,
  Deleted: openAndAdvance,
  Restored: openAndAdvance,
  Redacted: openAndAdvance,
  PurgeStarted: openAndAdvance,
  Purged: openAndAdvance,
  MessageAppended: openSession,
  MessageEdited: openAndAdvance,
  Rewound: openAndAdvance,
  RewindUndone: openAndAdvance,
  Compacted: openAndAdvance,
  CompactionUndone: openAndAdvance,
  CompactionFailed: openAndAdvance,
  WireFormSet: openAndAdvance,
  Rotated: openAndAdvance,
  Renamed: openAndAdvance,
  DelegateSpawned: openAndAdvance,
  DelegateReported: openAndAdvance,
  SettingChanged: openAndAdvance,
  TurnStarted: openAndAdvance,
  TurnRenewed: openAndAdvance,
  TurnEnded: openAndAdvance,
  UsageRecorded: openAndAdvance,
  Noted: openAndAdvance,
}

export const sessions: Projection<Tables> = { name: 'sessions', version: 1, tables: {}, rules }
