import type { Origin, Recorded, Setting } from '@refold/events'
import { describeParts, plural, quoted } from './describe-parts.ts'

/** What an event says, in one sentence without its actor and time. */
export function describeEvent(event: Recorded): string {
  switch (event.type) {
    case 'SessionStarted': {
      const { origin, importedFrom, surface, workspace } = event.data
      const from = importedFrom ? `, imported from ${importedFrom.tool} session ${importedFrom.session}` : ''
      const where = [surface ?? [], workspace ?? []].flat().join(', ')
      return `Started ${originWords(origin)}${from}${where === '' ? '' : ` (${where})`}`
    }
    case 'Ended':
      return `Ended (${event.data.class}): ${event.data.reason}`
    case 'Reopened':
      return event.data.why === 'append' ? 'Reopened, for a message arrived' : 'Reopened because somebody asked'
    case 'Archived':
      return event.data.by === 'idle' ? 'Archived, for nothing happened for long' : 'Archived'
    case 'Unarchived':
      return event.data.by === 'activity'
        ? 'Taken out of the archive, for something happened'
        : 'Taken out of the archive'
    case 'Deleted': {
      const { deletionId, seed, along, reason } = event.data
      const more = along.length === 0 ? '' : `, along with ${plural(along.length, 'delegate')}: ${along.join(', ')}`
      const why = reason === undefined ? '' : `, because ${quoted(reason)}`
      return `Deleted with session ${seed}${more}${why} (deletion ${deletionId})`
    }
    case 'Restored': {
      const { deletionId, title } = event.data
      return `Restored${title === null ? '' : ` as ${quoted(title)}`} (deletion ${deletionId})`
    }
    case 'Redacted': {
      const { targets, reason } = event.data
      return `Took words out of ${plural(targets.length, 'event')} (revision ${targets.map(({ revision }) => revision).join(', ')}): ${reason}`
    }
    case 'PurgeStarted': {
      const { eventIds, kept, purgeId } = event.data
      return `Overwrote ${plural(eventIds.length, 'event')} for good, kept ${kept.length} (purge ${purgeId})`
    }
    case 'Purged':
      return `Finished purge ${event.data.purgeId}`
    case 'MessageAppended': {
      const { id, role, parts, provenance, shownTo, partial, turn, failed } = event.data
      const notes = [
        partial === undefined ? [] : `unfinished, text ${partial}`,
        shownTo === 'both' ? [] : `for the ${shownTo} only`,
        failed === true ? 'its turn failed' : [],
        turn === undefined ? [] : `turn ${turn}`,
      ].flat()
      const more = notes.length === 0 ? '' : ` [${notes.join('; ')}]`
      return `Message ${id} of the ${role} (by ${provenance}): ${describeParts(parts)}${more}`
    }
    case 'MessageEdited':
      return `Edited message ${event.data.message}: ${describeParts(event.data.parts)}`
    case 'Rewound': {
      const { undoId, lastThatStays, only, reason } = event.data
      const what = only
        ? `Took out ${plural(only.length, 'message')}: ${only.join(', ')}`
        : lastThatStays === null
          ? 'Rewound to the start'
          : `Rewound to message ${lastThatStays}`
      return `${what} (${reason}; undo ${undoId})`
    }
    case 'RewindUndone':
      return `Took back rewind ${event.data.undoId}; what came since is kept as ${event.data.newUndoId}`
    case 'Compacted': {
      const { compactionId, watermark, covers, kept, sizes, summary } = event.data
      return `Summarised ${plural(covers, 'message')} up to revision ${watermark}, kept ${kept.length}, from ${sizes.bytesBefore} to ${sizes.bytesAfter} bytes (compaction ${compactionId}): ${quoted(summary)}`
    }
    case 'CompactionUndone':
      return `Took back compaction ${event.data.compactionId}`
    case 'CompactionFailed': {
      const { reason, cooldownUntil } = event.data
      return `Could not compact: ${reason}${cooldownUntil === undefined ? '' : `; not again before ${timeWords(cooldownUntil)}`}`
    }
    case 'WireFormSet': {
      const { message, parts, why } = event.data
      return parts === null
        ? `The model sees message ${message} whole again: ${why}`
        : `The model sees message ${message} as ${describeParts(parts)}: ${why}`
    }
    case 'Rotated':
      return `Rotated from segment ${event.data.from} to ${event.data.to}: ${event.data.reason}`
    case 'Renamed': {
      const { title, by } = event.data
      return title === null ? `Took the title away (${by})` : `Named it ${quoted(title)} (${by})`
    }
    case 'DelegateSpawned': {
      const { session, task, toolCallId } = event.data
      const call = toolCallId === undefined ? '' : ` for call ${toolCallId}`
      return `Sent off delegate ${session}${call}${task === undefined ? '' : `: ${quoted(task)}`}`
    }
    case 'DelegateReported': {
      const { session, run, outcome, message, injectedAs } = event.data
      const told = injectedAs === undefined ? 'not told to the model' : `told to the model as message ${injectedAs}`
      return `Delegate ${session} reported ${outcome} (run ${run}; ${told})${message === undefined ? '' : `: ${quoted(message)}`}`
    }
    case 'SettingChanged':
      return describeSetting(event.data)
    case 'TurnStarted':
      return `Turn ${event.data.turn} began, held by ${event.data.holder} for ${event.data.leaseMs} ms`
    case 'TurnRenewed':
      return `Turn ${event.data.turn} goes on, for ${event.data.leaseMs} ms more`
    case 'TurnEnded':
      return `Turn ${event.data.turn} ended: ${event.data.outcome}`
    case 'UsageRecorded': {
      const { tokens, model, task, costUsd, key } = event.data
      const kinds = Object.entries(tokens).map(([kind, count]) => `${count} ${kind}`)
      const of = [model ?? [], task ?? []].flat().join(', ')
      const cost = costUsd === undefined ? '' : `, $${costUsd}`
      return `Used ${kinds.join(', ') || 'no'} tokens${of === '' ? '' : ` of ${of}`}${cost} (${key})`
    }
    case 'Noted': {
      const { kind, text, shownTo } = event.data
      return `Noted ${kind}${text === undefined ? '' : `: ${quoted(text)}`} [shown to ${shownTo}]`
    }
    case 'Claimed':
      return `Session ${event.data.holder} holds this ${event.data.kind} in namespace ${event.data.namespace}`
    case 'Released':
      return `Session ${event.data.holder} gave this name back: ${event.data.why}`
    case 'ClaimDropped':
      return `Claim ${event.data.claim} is about to be released, for nothing here backs it`
    default: {
      const never: never = event
      return never
    }
  }
}

function originWords(origin: Origin): string {
  switch (origin.kind) {
    case 'root':
      return 'anew'
    case 'branch':
    case 'stray': {
      const { cut, kind, session } = origin
      const after = cut.through === null ? 'its start' : `message ${cut.through.message}`
      return `as a ${kind} of session ${session} after ${after}, as of revision ${cut.asOf}`
    }
    case 'delegate':
      return origin.session === null
        ? 'as a delegate whose parent is unknown'
        : `as a delegate of session ${origin.session}`
    case 'reset':
      return `in the place of session ${origin.session}`
    case 'untyped':
      return `under session ${origin.session}, nothing says as what`
    default: {
      const never: never = origin
      return never
    }
  }
}

function describeSetting(setting: Setting): string {
  switch (setting.key) {
    case 'model':
      return setting.value === null ? 'No model is set any more' : `The model is now ${setting.value}`
    case 'system-prompt':
      return setting.value === null
        ? 'Took the system prompt away'
        : `Set the system prompt to ${quoted(setting.value)}`
    case 'workspace':
      return setting.value === null ? 'It has no workspace any more' : `The workspace is now ${setting.value}`
    case 'goal':
      return setting.value === null ? 'Took the goal away' : `Set the goal to ${quoted(setting.value)}`
    case 'route':
      return `${setting.bound ? 'Bound to' : 'Let go of'} route ${setting.route}, generation ${setting.generation}`
    case 'pinned':
      return setting.value ? 'Pinned' : 'Unpinned'
    case 'hidden':
      return setting.value ? 'Hidden' : 'Shown again'
    case 'tag':
      return `${setting.present ? 'Tagged' : 'Took off the tag'} ${quoted(setting.tag)}`
    case 'read-mark':
      return setting.value === null ? 'Marked as unread' : `Read up to revision ${setting.value}`
    case 'reaction': {
      const { author, emoji, message, present } = setting
      return `${author} ${present ? 'put' : 'took'} ${emoji} ${present ? 'on' : 'off'} message ${message}`
    }
    case 'host':
      return `Set ${setting.name} to ${quoted(JSON.stringify(setting.value))}`
    default: {
      const never: never = setting
      return never
    }
  }
}

function timeWords(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time)
}
