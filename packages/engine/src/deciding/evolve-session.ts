import { isKnown, type AnyRecorded, type Recorded, type SettingChanged } from '@refold/events'
import type { SessionState } from './session-state.ts'
import { settingSlot } from './setting-slot.ts'

/** Folds one event into a session's state. Total: any well-formed event in any order, also ones no command would write. */
export function evolveSession(state: SessionState, event: AnyRecorded): SessionState {
  const changed = isKnown(event) ? change(state, event) : undefined
  return { ...state, ...changed, revision: event.revision }
}

function change(state: SessionState, event: Recorded): Partial<SessionState> | undefined {
  switch (event.type) {
    case 'SessionStarted': {
      const { session, origin, workspace, model } = event.data
      if (state.session !== null) return undefined
      return { session, origin, segments: [session], workspace: workspace ?? null, model: model ?? null }
    }
    case 'Ended':
      return { end: { reason: event.data.reason, class: event.data.class } }
    case 'Reopened':
      return { end: null }
    case 'Archived':
      return { archived: event.data.by }
    case 'Unarchived':
      return { archived: null }
    case 'Deleted': {
      const { deletionId, seed, along } = event.data
      return { deleted: { deletionId, seed, along } }
    }
    case 'Restored': {
      const { title } = event.data
      const by = state.title?.by ?? 'person'
      return { deleted: null, title: title === null ? null : { text: title, by, eventId: event.id } }
    }
    case 'Redacted':
      return { redactions: [...state.redactions, event.revision], ...contextChanged(event) }
    case 'PurgeStarted':
      return { ...WORDLESS, purged: true, end: state.end && { ...state.end, reason: '' } }
    case 'MessageAppended':
      return { ...partialsAfter(state, event.data), ...leaseAfter(state, event.data.turn, event.recordedAt) }
    case 'Rewound': {
      const { undoId, reason } = event.data
      const kind = reason === 'import' ? 'import' : 'rewind'
      return { rewinds: [...without(state.rewinds, undoId), { id: undoId, kind }], ...contextChanged(event) }
    }
    case 'RewindUndone': {
      const { undoId, newUndoId } = event.data
      const rewinds = [
        ...without(without(state.rewinds, undoId), newUndoId),
        { id: newUndoId, kind: 'alternative' } as const,
      ]
      return { rewinds, ...contextChanged(event) }
    }
    case 'Compacted': {
      const id = event.data.compactionId
      return { compactions: [...state.compactions.filter((other) => other !== id), id], ...contextChanged(event) }
    }
    case 'CompactionUndone': {
      const id = event.data.compactionId
      return { compactions: state.compactions.filter((other) => other !== id), ...contextChanged(event) }
    }
    case 'MessageEdited':
    case 'WireFormSet':
      return contextChanged(event)
    case 'Rotated': {
      const { to } = event.data
      const segments = state.segments.includes(to) ? state.segments : [...state.segments, to]
      return { segments, ...contextChanged(event) }
    }
    case 'Renamed': {
      const { title, by } = event.data
      return { title: title === null ? null : { text: title, by, eventId: event.id } }
    }
    case 'DelegateSpawned':
      return { delegates: new Map(state.delegates).set(event.data.session, 'open') }
    case 'DelegateReported':
      return { delegates: new Map(state.delegates).set(event.data.session, 'reported') }
    case 'SettingChanged':
      return settingChanged(state, event)
    case 'TurnStarted': {
      const { turn, holder, leaseMs } = event.data
      return { turn: { id: turn, holder, leaseMs, leaseUntil: event.recordedAt + leaseMs, ended: false } }
    }
    case 'TurnRenewed': {
      const { turn, leaseMs } = event.data
      if (state.turn?.id !== turn) return undefined
      return { turn: { ...state.turn, leaseMs, leaseUntil: event.recordedAt + leaseMs } }
    }
    case 'TurnEnded':
      return state.turn?.id === event.data.turn ? { turn: { ...state.turn, ended: true } } : undefined
    case 'Purged':
    case 'CompactionFailed':
    case 'UsageRecorded':
    case 'Noted':
    case 'Claimed':
    case 'Released':
    case 'ClaimDropped':
      return undefined
    default:
      return event satisfies never
  }
}

/** What a purge leaves of titles, paths and names: nothing may decide by them any more. */
const WORDLESS: Pick<SessionState, 'title' | 'workspace' | 'turn' | 'routes' | 'settings'> = {
  title: null,
  workspace: null,
  turn: null,
  routes: new Map(),
  settings: new Map(),
}

const contextChanged = ({ revision, type }: Recorded): Partial<SessionState> => ({ contextChange: { revision, type } })

const without = (rewinds: SessionState['rewinds'], id: string): SessionState['rewinds'] =>
  rewinds.filter((rewind) => rewind.id !== id)

function partialsAfter(
  state: SessionState,
  { id, partial }: { readonly id: string; readonly partial?: number },
): Partial<SessionState> {
  const highest = state.partials.get(id)
  if (partial === undefined && highest === undefined) return {}
  const partials = new Map(state.partials)
  if (partial === undefined) partials.delete(id)
  else partials.set(id, Math.max(partial, highest ?? partial))
  return { partials }
}

/** An append under a turn's id begins its lease anew. */
function leaseAfter(state: SessionState, turn: string | undefined, recordedAt: number): Partial<SessionState> {
  if (turn === undefined || state.turn?.id !== turn || state.turn.ended) return {}
  return { turn: { ...state.turn, leaseUntil: recordedAt + state.turn.leaseMs } }
}

function settingChanged(state: SessionState, { data, revision }: Recorded<SettingChanged>): Partial<SessionState> {
  // Reactions are many and each stands alone; no command has to know the last one.
  if (data.key === 'reaction') return {}
  const settings = new Map(state.settings).set(settingSlot(data), revision)
  switch (data.key) {
    case 'workspace':
      return { settings, workspace: data.value }
    case 'model':
      return { settings, model: data.value }
    case 'route': {
      const routes = new Map(state.routes)
      if (data.bound) routes.set(data.route, data.generation)
      else routes.delete(data.route)
      return { settings, routes }
    }
    case 'system-prompt':
    case 'goal':
    case 'pinned':
    case 'hidden':
    case 'read-mark':
    case 'tag':
    case 'host':
      return { settings }
    default:
      return data satisfies never
  }
}
