import type { Refusal } from '@refold/engine'
import type { Answer } from './answer.ts'
import { safeText } from './safe-text.ts'

interface Written {
  readonly ok: true
  readonly session: string
  readonly revision: number
  readonly events: readonly string[]
  readonly repeated: boolean
}

/** What a command says that wrote to a session: `session`, `revision`, `events`, and what is its own. */
export function done<O extends Written>(
  outcome: O | Refusal,
  words: (outcome: O) => string,
  own: (outcome: O) => object = () => ({}),
): Answer | Refusal {
  if (!outcome.ok) return outcome
  const { session, revision, events } = outcome
  return {
    json: { session, revision, events, ...own(outcome) },
    people: ({ colours }) => {
      const how = outcome.repeated ? ' (done before under this key)' : events.length === 0 ? ' (as it was)' : ''
      return `${safeText(words(outcome))}${colours.dim(how)}`
    },
  }
}
