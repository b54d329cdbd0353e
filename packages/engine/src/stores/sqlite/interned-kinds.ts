import { actor, type Actor } from '@refold/events'
import type { InternedKind } from './interned.ts'

export interface EventTypeVersion {
  readonly type: string
  readonly version: number
}

export const streamNames: InternedKind<string> = {
  table: 'streams',
  key: 'stream_key',
  columns: ['name'],
  nameOf: (name) => name,
  toColumns: (name) => [name],
  fromColumns: ([name]) => String(name),
}

export const eventTypes: InternedKind<EventTypeVersion> = {
  table: 'event_types',
  key: 'type_key',
  columns: ['type', 'version'],
  nameOf: ({ type, version }) => `${version} ${type}`,
  toColumns: ({ type, version }) => [type, version],
  fromColumns: ([type, version]) => ({ type: String(type), version: Number(version) }),
}

const actorText = ({ kind, id, session, surface }: Actor): string => JSON.stringify({ kind, id, session, surface })

/** As JSON with its fields in one order, which also keeps what is no well-formed text. */
export const actors: InternedKind<Actor> = {
  table: 'actors',
  key: 'actor_key',
  columns: ['actor'],
  nameOf: actorText,
  toColumns: (value) => [actorText(value)],
  fromColumns: ([text]) => actor.parse(JSON.parse(String(text))),
}
