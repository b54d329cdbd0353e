import type { AuditEntry, AuditFilter } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { isoTime } from '../output/moment.ts'
import { safeJson, safeLine } from '../output/safe-text.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { text, texts } from '../words/option.ts'
import { point, pointOf, pointWords, type PointWord } from '../words/point.ts'

const audit: Command = command({
  description: `Prints every event of a session as one line: revision, when it was recorded, who did it, what happened, and the
key or event that it names as its cause. Also of a deleted session, by its id. The chain of hashes is walked meanwhile: at
the first event that is not what was recorded it stops, with exit status 3. With --json one document a line.`,
  operands: { session: sessionOperand },
  options: {
    from: point('POINT', `the first: ${pointWords}`),
    to: point('POINT', 'the last'),
    kind: texts('TYPE', 'only events of this type, such as Renamed or message-appended; may be given several times'),
    actor: text('ACTOR', 'only those of one actor: an id, or person, agent, engine, importer or housekeeping'),
    surface: text('S', 'only those that came by this surface, such as cli'),
  },
  examples: [
    'refold audit release-notes',
    'refold audit release-notes --kind Renamed --kind Compacted',
    'refold audit release-notes --from -2d --actor person --json',
  ],
  run: ({ operands, options, place, terminal }) =>
    useSession(place, operands.session, async (handle, engine) => {
      const { auditTrail, sessionStream, systemSource } = await import('@refold/engine')
      const { from, to, kind, actor, surface } = options
      const end = (word: PointWord): NonNullable<AuditFilter['from']> => {
        const meant = pointOf(word, systemSource.now())
        return typeof meant === 'number' ? meant : { time: meant.time }
      }
      const filter: AuditFilter = {
        ...(from !== undefined && { from: end(from) }),
        ...(to !== undefined && { to: end(to) }),
        ...(kind.length > 0 && { kinds: kind }),
        ...(actor !== undefined && { actor }),
        ...(surface !== undefined && { surface }),
      }
      const stream = sessionStream({ namespace: engine.namespace, session: handle.id })
      const { sha256 } = systemSource
      for await (const entry of auditTrail({ store: engine.store, sha256 }, stream, filter)) {
        const line = terminal.json ? safeJson(JSON.stringify(entryJson(handle.id, entry))) : entryLine(entry)
        if (!(await terminal.stream(`${line}\n`))) return
      }
    }),
})

function entryJson(session: string, entry: AuditEntry): object {
  const { revision, position, at, happenedAt, type, what, eventId, causationId, causedBy, correlationId } = entry
  const { actor, version, hash, data } = entry.event
  return {
    session,
    revision,
    position,
    at: isoTime(at),
    happenedAt: happenedAt === null ? null : isoTime(happenedAt),
    actor,
    type,
    what,
    cause: causationId === null ? null : { id: causationId, revision: causedBy },
    correlation: correlationId,
    event: { id: eventId, version, hash, data },
  }
}

function entryLine({ revision, at, actor, what, causationId, causedBy }: AuditEntry): string {
  const cause =
    causationId === null ? '' : ` [caused by ${causedBy === null ? causationId : `the event at ${causedBy}`}]`
  return `${String(revision).padStart(4)}  ${isoTime(at) ?? '?'}  ${safeLine(actor)}  ${safeLine(what + cause)}`
}

export default audit
