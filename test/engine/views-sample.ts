import { encodeEvent, type EventStore, type NewEvent } from '@refold/events'
import { openViews, systemSource, type OpenViewsOptions, type Views } from '@refold/engine'
import {
  defineTable,
  integer,
  nullable,
  stream,
  text,
  type Projection,
  type RowReaders,
  type TableDefinition,
} from '@refold/projections'

/** Counts every event: one folded twice, or left out, shows. */
export interface TallyRow {
  stream: string
  events: number
  lastPosition: number
}

export interface WordRow {
  stream: string
  n: number
  words: string
  /** Words that stand once in all streams go to the stream that said them last. */
  held: string | null
}

export interface SampleViews {
  tallies: TallyRow
  words: WordRow
}

const tallies: TableDefinition<TallyRow> = defineTable<TallyRow>({
  name: 'tallies',
  columns: { stream, events: integer, lastPosition: integer },
  key: ['stream'],
  ordered: { position: ['lastPosition'] },
})

const words: TableDefinition<WordRow> = defineTable<WordRow>({
  name: 'words',
  columns: { stream, n: integer, words: text, held: nullable(text) },
  key: ['stream', 'n'],
  unique: { held: ['held'] },
})

const counting: Projection<SampleViews> = {
  name: 'counting',
  version: 1,
  tables: { tallies },
  rules: {
    Noted: ({ stream, position }, rows) => {
      rows.tallies.upsert({ stream, events: 0, lastPosition: 0 }, (row) => {
        row.events += 1
        row.lastPosition = position
      })
    },
  },
}

const saying: Projection<SampleViews> = {
  name: 'saying',
  version: 1,
  tables: { words },
  rules: {
    Noted: ({ stream, data }, rows) => {
      const said = typeof data.text === 'string' ? data.text : ''
      const holder = rows.words.find('held', said)
      if (holder) rows.words.update([holder.stream, holder.n], (row) => void (row.held = null))
      const n = (rows.words.last('key', stream)?.n ?? -1) + 1
      rows.words.insert({ stream, n, words: said, held: said })
    },
  },
}

export const sampleProjections: readonly Projection<SampleViews>[] = [counting, saying]

export function openSample(
  log: EventStore,
  file?: string,
  options: Partial<OpenViewsOptions<SampleViews>> = {},
): Promise<Views<SampleViews>> {
  return openViews({
    log,
    projections: sampleProjections,
    source: systemSource,
    ...(file !== undefined && { file }),
    ...options,
  })
}

let made = 0

export function note(text: string): NewEvent {
  made += 1
  const id = systemSource.sha256(`${process.pid} ${made} ${performance.now()}`).slice(0, 32)
  const data = { note: 'n', kind: 'views', shownTo: 'none', text } as const
  return { ...encodeEvent({ type: 'Noted', data }), id, recordedAt: 0, actor: { kind: 'agent', id: 'test' } }
}

/** Appends notes in turn to some streams. */
export async function say(log: EventStore, count: number, streams: readonly string[] = ['a', 'b', 'c']): Promise<void> {
  await log.append({
    streams: streams.map((name, at) => ({
      stream: `session-views.${name}`,
      expected: 'any',
      events: Array.from({ length: Math.ceil((count - at) / streams.length) }, (_, n) => note(`${name} ${n % 5}`)),
    })),
  })
}

/** Everything in the rows. */
export function everything(rows: RowReaders<SampleViews>): { readonly tallies: unknown; readonly words: unknown } {
  const all = { prefix: [], limit: Infinity }
  return { tallies: rows.tallies.range('key', all), words: rows.words.range('key', all) }
}

export const totalOf = (rows: RowReaders<SampleViews>): number =>
  rows.tallies.range('key', { prefix: [], limit: Infinity }).reduce((sum, { events }) => sum + events, 0)

/** What the rows should be, by a fold in memory from the log's beginning. */
export async function expected(log: EventStore): Promise<ReturnType<typeof everything>> {
  const views = await openSample(log)
  return views.read(everything)
}
