import type { EventOf, Recorded } from '@refold/events'
import { streamOf } from '../support/session-log.ts'

interface Entry {
  readonly kind: string
  readonly id: string
  readonly shown: boolean
}

interface Rewind {
  readonly hides: Set<Entry>
  readonly came: number
  readonly undoes: string | null
  readonly single: boolean
  open: boolean
}

interface State {
  readonly entries: Entry[]
  readonly rewinds: Map<string, Rewind>
  readonly hiddenAtCut: Set<Entry>
  started: boolean
  /** It has a marker already. */
  touched: boolean
  model: string | null
  origin: string | null
}

/**
 * Ids of the messages that each session shows, found the slow and obvious way: whole lists, copied at every branch from a
 * replay of the origin up to the cut. Markers are left out, except that they take no part in hiding.
 */
export function naiveTranscripts(events: readonly Recorded[]): Map<string, readonly string[]> {
  const states = replay(events)
  return new Map([...states].map(([stream, state]) => [stream, visible(state).map(({ id }) => id)]))
}

function visible(state: State): Entry[] {
  const hidden = [...state.rewinds.values()].filter(({ open }) => open)
  return state.entries.filter(
    (entry) => entry.shown && !state.hiddenAtCut.has(entry) && !hidden.some(({ hides }) => hides.has(entry)),
  )
}

function replay(events: readonly Recorded[]): Map<string, State> {
  const states = new Map<string, State>()
  for (const [index, event] of events.entries()) {
    const state = states.get(event.stream) ?? {
      entries: [],
      rewinds: new Map(),
      hiddenAtCut: new Set(),
      started: false,
      touched: false,
      model: null,
      origin: null,
    }
    states.set(event.stream, state)
    step(states, state, event, events.slice(0, index))
  }
  return states
}

function step(states: Map<string, State>, state: State, event: Recorded, before: readonly Recorded[]): void {
  if (event.type === 'SessionStarted') start(states, state, event, before)
  else if (event.type === 'MessageAppended') append(state, 'message', event.data.id, event.data.shownTo !== 'model')
  else if (event.type === 'Noted') {
    if (event.data.shownTo !== 'none') append(state, 'note', event.data.note, false)
  } else if (event.type === 'Rewound') rewind(state, event.data)
  else if (event.type === 'RewindUndone') undo(state, event.data)
  else if (makesMark(state, event)) state.touched = true
}

function find(state: State, kind: string, id: string): Entry | undefined {
  return state.entries.find((entry) => entry.kind === kind && entry.id === id)
}

function append(state: State, kind: string, id: string, shown: boolean): void {
  if (!find(state, kind, id)) state.entries.push({ kind, id, shown })
}

function makesMark(state: State, event: Recorded): boolean {
  if (event.type === 'Rotated') return streamOf(event.data.to) !== event.stream
  if (event.type !== 'SettingChanged') return ['Ended', 'Compacted', 'DelegateSpawned'].includes(event.type)
  if (event.data.key !== 'model') return false
  const [{ value }, before] = [event.data, state.model]
  state.model = value
  return before !== null && value !== null && value !== before
}

function start(
  states: Map<string, State>,
  state: State,
  { stream, data }: Recorded<EventOf<'SessionStarted'>>,
  before: readonly Recorded[],
): void {
  const { origin } = data
  const isEmpty = state.entries.length === 0 && !state.touched
  if (!state.started && isEmpty && 'cut' in origin)
    inherit(states, state, stream, streamOf(origin.session), origin.cut, before)
  state.started = true
}

function rewind(state: State, { undoId, lastThatStays, only }: EventOf<'Rewound'>['data']): void {
  if (state.rewinds.has(undoId)) return
  const last = lastThatStays === null ? undefined : find(state, 'message', lastThatStays)
  if (!only && lastThatStays !== null && !last) return
  const rest = state.entries.slice(last ? state.entries.indexOf(last) + 1 : 0)
  const hides = only ? only.flatMap((id) => find(state, 'message', id) ?? find(state, 'note', id) ?? []) : rest
  const single = only !== undefined
  state.rewinds.set(undoId, { hides: new Set(hides), came: state.entries.length, undoes: null, single, open: true })
}

function undo(state: State, { undoId, newUndoId }: EventOf<'RewindUndone'>['data']): void {
  const rewind = state.rewinds.get(undoId)
  if (!rewind?.open || state.rewinds.has(newUndoId)) return
  rewind.open = false
  const again = rewind.undoes === null ? [] : (state.rewinds.get(rewind.undoes)?.hides ?? [])
  const since = rewind.single ? [] : state.entries.slice(rewind.came)
  const { single } = rewind
  const hides = new Set([...again, ...since])
  state.rewinds.set(newUndoId, { hides, came: state.entries.length, undoes: undoId, single, open: true })
}

function inherit(
  states: Map<string, State>,
  state: State,
  stream: string,
  originStream: string,
  cut: { readonly asOf: number; readonly through: { readonly message: string } | null },
  before: readonly Recorded[],
): void {
  if (originStream === stream || !states.has(originStream)) return
  for (let up: string | null = originStream; up !== null; up = states.get(up)?.origin ?? null) if (up === stream) return
  state.origin = originStream
  const past = replay(before.filter((event) => event.stream !== originStream || event.revision <= cut.asOf)).get(
    originStream,
  )
  const last = past?.entries.findIndex(({ kind, id }) => kind === 'message' && id === cut.through?.message) ?? -1
  if (!past || cut.through === null || last < 0) return
  state.entries.push(...past.entries.slice(0, last + 1))
  const hidden = [...past.rewinds.values()].filter(({ open }) => open).flatMap(({ hides }) => [...hides])
  for (const entry of [...hidden, ...past.hiddenAtCut]) state.hiddenAtCut.add(entry)
}
