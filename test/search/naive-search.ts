import { taken, type Engine, type TranscriptEntry } from '@refold/engine'
import { hitsOf } from './found.ts'

/** What a search is for, and how a plain look at a text tells whether it is there. */
export interface Sought {
  readonly query: string
  readonly fits: (text: string) => boolean
}

/** `session/message` of all that transcripts of living sessions show and that fits, by reading every one of them. */
export async function seenIn(engine: Engine, { fits }: Sought): Promise<readonly string[]> {
  const { sessions } = taken(await engine.list({ all: true, limit: 1_000 }))
  const seen: string[] = []
  for (const { id } of sessions) {
    const { handle } = taken(await engine.session(id))
    const { entries } = taken(await handle.transcript({ limit: 10_000 }))
    for (const entry of entries) if (fits(wordsIn(entry))) seen.push(`${id}/${entry.id}`)
  }
  return seen.toSorted()
}

/** The same by searching. */
export async function foundIn(engine: Engine, { query }: Sought, limit = 1_000): Promise<readonly string[]> {
  const hits = await hitsOf(engine, query, { limit })
  return hits.flatMap(({ sessions, message }) => sessions.map((session) => `${session}/${message}`)).toSorted()
}

function wordsIn(entry: TranscriptEntry): string {
  if (entry.kind === 'note') return typeof entry.details['text'] === 'string' ? entry.details['text'] : ''
  if (entry.kind !== 'message') return ''
  return entry.parts
    .map((part) => {
      if (part.type === 'tool-call') return `${part.name} ${JSON.stringify(part.arguments ?? part.argumentsText)}`
      return 'text' in part && typeof part.text === 'string' ? part.text : ''
    })
    .join('\n')
}
