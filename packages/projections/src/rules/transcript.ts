import type { Projection, Rules } from '../projection.ts'
import { findEntry, levelsOf } from '../read/levels.ts'
import type { Tables } from '../tables.ts'
import { addEntry } from './add-entry.ts'
import { appendMessage, markUnanswered } from './append-message.ts'
import { endTakes } from './ending.ts'
import { inSession } from './in-session.ts'
import { inherit } from './inherit.ts'
import { rewind, undoRewind } from './rewind.ts'
import { entries, eventTimes, rewinds, transcripts, versions } from './transcript-rows.ts'

const rules: Rules<Tables> = {
  SessionStarted: inSession<'SessionStarted'>((event, rows, { started }) => {
    if (started) return
    inherit(event, rows)
    const { origin } = event.data
    if (origin.kind === 'branch' || origin.kind === 'stray')
      addEntry(rows, event, { kind: 'branch', id: origin.session })
  }),

  MessageAppended: inSession<'MessageAppended'>(appendMessage),

  MessageEdited: inSession<'MessageEdited'>(({ stream, revision, data }, rows) => {
    const found = findEntry(rows, levelsOf(rows, stream), 'message', data.message)
    if (!found || !rows.versions.insert({ stream, n: found.entry.n, revision, kind: 'edit', number: null })) return
    if (found.level > 0) return // the origin's own entry stays as it is
    rows.entries.update([stream, found.entry.n], (draft) => {
      draft.content = revision
    })
  }),

  Rewound: inSession<'Rewound'>(rewind),
  RewindUndone: inSession<'RewindUndone'>(undoRewind),

  Compacted: inSession<'Compacted'>((event, rows) => {
    addEntry(rows, event, { kind: 'compaction', id: event.data.compactionId })
  }),

  Rotated: inSession<'Rotated'>((event, rows) => {
    const { to } = event.data
    if (!rows.segments.get(event.stream, to)) addEntry(rows, event, { kind: 'rotation', id: to })
  }),

  DelegateSpawned: inSession<'DelegateSpawned'>((event, rows) => {
    addEntry(rows, event, { kind: 'delegate', id: event.data.session })
  }),

  SettingChanged: inSession<'SettingChanged'>((event, rows, { model }) => {
    const { data } = event
    if (data.key !== 'model' || model === null || data.value === null || data.value === model) return
    addEntry(rows, event, { kind: 'model', id: event.id })
  }),

  Ended: inSession<'Ended'>((event, rows, tip) => {
    if (endTakes(tip, event.data.class)) addEntry(rows, event, { kind: 'end', id: event.id })
  }),

  Reopened: inSession<'Reopened'>((event, rows, { endClass }) => {
    if (endClass !== null) addEntry(rows, event, { kind: 'reopen', id: event.id })
  }),

  TurnEnded: inSession<'TurnEnded'>((event, rows) => {
    if (event.data.outcome === 'failed') markUnanswered(event, rows)
  }),

  Noted: inSession<'Noted'>((event, rows) => {
    const { note, shownTo } = event.data
    if (shownTo !== 'none') addEntry(rows, event, { kind: 'note', id: note, shownTo })
  }),
}

/** What a person reads: every message once, where it first appeared, whatever was compacted since. */
export const transcript: Projection<Tables> = {
  name: 'transcript',
  version: 5,
  tables: { entries, versions, rewinds, transcripts, eventTimes },
  rules,
}
