import type { Change, ContextMessage, Excerpt, PointReached, SessionDifference } from '@refold/engine'
import { isoTime } from '../output/moment.ts'
import { contextMessageJson } from './context-message-json.ts'
import { entryJson } from './entry-json.ts'
import { usageJson } from './usage-json.ts'

/** What became of a session, as `refold diff --json` prints it. */
export function differenceJson({ session, from, to, ...rest }: SessionDifference): object {
  const { transcript, context, title, settings, tags, usage } = rest
  return {
    session,
    from: pointJson(from),
    to: pointJson(to),
    transcript: {
      messages: transcript.messages,
      gained: excerptJson(transcript.gained, entryJson),
      lost: excerptJson(transcript.lost, entryJson),
      changed: excerptJson(transcript.changed, (change) => changeJson(change, entryJson)),
    },
    context: {
      before: context.before,
      after: context.after,
      added: excerptJson(context.added, contextMessageJson),
      removed: excerptJson(context.removed, ({ why, ...message }) => ({ ...contextMessageJson(message), why })),
      changed: excerptJson(context.changed, ({ how, ...change }) => ({
        how,
        ...changeJson<ContextMessage>(change, contextMessageJson),
      })),
      systemPrompt: context.systemPrompt,
    },
    title,
    settings,
    tags,
    usage: changeJson(usage, usageJson),
  }
}

const pointJson = ({ revision, at }: PointReached): object => ({ revision, at: at === null ? null : isoTime(at) })

function excerptJson<T>({ count, entries }: Excerpt<T>, json: (one: T) => object): object {
  return { count, entries: entries.map(json) }
}

function changeJson<T>({ before, after }: Change<T>, json: (one: T) => object): object {
  return { before: json(before), after: json(after) }
}
