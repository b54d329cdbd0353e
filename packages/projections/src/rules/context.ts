import type { Projection, Rules } from '../projection.ts'
import { findEntry, levelsOf } from '../read/levels.ts'
import type { Tables } from '../tables.ts'
import { transcriptOf } from './add-entry.ts'
import { breakSummaries, keepGrown } from './break-summaries.ts'
import { compact } from './compact.ts'
import { compactions, kept, settings, wireForms } from './context-rows.ts'
import { inSession } from './in-session.ts'
import { settingName, settingValue } from './setting-name.ts'

const rules: Rules<Tables> = {
  SessionStarted: inSession<'SessionStarted'>(({ stream, revision, data }, rows, { started }) => {
    if (started) return
    for (const name of ['model', 'workspace'] as const) {
      const value = data[name]
      if (value !== undefined) rows.settings.insert({ stream, name, revision, value, present: true })
    }
  }),

  MessageAppended: inSession<'MessageAppended'>(({ stream, revision, data }, rows) => {
    const entry = rows.entries.find('id', stream, 'message', data.id)
    if (entry?.content === revision && entry.revision < revision) keepGrown(rows, stream, entry, revision)
    if (entry || transcriptOf(rows, stream).inherited === 0) return
    const found = findEntry(rows, levelsOf(rows, stream), 'message', data.id)
    if (found && rows.versions.get(stream, found.entry.n, revision)) keepGrown(rows, stream, found.entry, revision)
  }),

  MessageEdited: inSession<'MessageEdited'>(({ stream, revision, data }, rows) => {
    const found = findEntry(rows, levelsOf(rows, stream), 'message', data.message)
    if (found) breakSummaries(rows, stream, found.entry, revision)
  }),

  Compacted: inSession<'Compacted'>(compact),

  CompactionUndone: inSession<'CompactionUndone'>(({ stream, revision, data }, rows) => {
    const compaction = rows.compactions.find('id', stream, data.compactionId)
    if (!compaction || compaction.undoneAt !== null) return
    rows.compactions.update([stream, compaction.revision], (draft) => {
      draft.undoneAt = revision
      draft.live = false
    })
  }),

  WireFormSet: inSession<'WireFormSet'>(({ stream, revision, data }, rows) => {
    const levels = levelsOf(rows, stream)
    const found = findEntry(rows, levels, 'message', data.message) ?? findEntry(rows, levels, 'note', data.message)
    if (!found) return
    const { n } = found.entry
    rows.wireForms.insert({ stream, n, revision, place: null, cleared: data.parts === null })
    if (found.level === 0)
      rows.entries.update([stream, n], (draft) => {
        draft.wire = revision
      })
  }),

  SettingChanged: inSession<'SettingChanged'>(({ stream, revision, data }, rows) => {
    rows.settings.insert({ stream, name: settingName(data), revision, ...settingValue(data) })
  }),
}

/** What the model is sent: which summaries there are, which forms messages take, which settings held since when. */
export const context: Projection<Tables> = {
  name: 'context',
  version: 2,
  tables: { compactions, kept, wireForms, settings },
  rules,
}
