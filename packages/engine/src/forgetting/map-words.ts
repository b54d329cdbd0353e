import type { FilePart, ImagePart, Json, Part, SessionEvent, Setting, Text } from '@refold/events'

/** What becomes of the words of an event, by what they are. */
export interface WordChanges {
  readonly text: (text: Text) => Text
  /** A line that is never large: a path, a reason, an author. */
  readonly line: (line: string) => string
  /** What rows are told apart by: titles, tags, routes, names of a host's settings. */
  readonly name: (name: string) => string
  readonly json: (value: Json) => Json
  readonly attachment: <P extends ImagePart | FilePart>(part: P) => P
}

/**
 * An event whose words are changed and nothing else: ids, edges, times, numbers, roles and models stay, for rows and places hang
 * on them.
 */
export function mapWords(event: SessionEvent, change: WordChanges): SessionEvent {
  const { text, line, name, json } = change
  const parts = (given: readonly Part[]): readonly Part[] => given.map((part) => mapPart(part, change))
  switch (event.type) {
    case 'SessionStarted': {
      const { workspace, importedFrom, ...data } = event.data
      const details = importedFrom?.details
      return {
        ...event,
        data: {
          ...data,
          ...(workspace !== undefined && { workspace: line(workspace) }),
          ...(importedFrom && {
            importedFrom: { ...importedFrom, ...(details !== undefined && { details: json(details) }) },
          }),
        },
      }
    }
    case 'Ended':
      return { ...event, data: { ...event.data, reason: line(event.data.reason) } }
    case 'Rotated':
      return { ...event, data: { ...event.data, reason: line(event.data.reason) } }
    case 'CompactionFailed':
      return { ...event, data: { ...event.data, reason: line(event.data.reason) } }
    case 'Deleted': {
      const { reason, ...data } = event.data
      return { ...event, data: { ...data, ...(reason !== undefined && { reason: line(reason) }) } }
    }
    case 'Restored':
    case 'Renamed': {
      const { title } = event.data
      return title === null ? event : withTitle(event, name(title))
    }
    case 'MessageAppended': {
      const { author, ...data } = event.data
      const written = author === undefined ? {} : { author: line(author) }
      return { ...event, data: { ...data, parts: parts(data.parts), ...written } }
    }
    case 'MessageEdited':
      return { ...event, data: { ...event.data, parts: parts(event.data.parts) } }
    case 'Compacted': {
      const { data } = event
      const wireForms = data.wireForms.map((form) => ({ ...form, parts: parts(form.parts) }))
      return { ...event, data: { ...data, summary: text(data.summary), wireForms } }
    }
    case 'WireFormSet': {
      const { data } = event
      return { ...event, data: { ...data, parts: data.parts && parts(data.parts), why: line(data.why) } }
    }
    case 'DelegateSpawned': {
      const { task, ...data } = event.data
      return { ...event, data: { ...data, ...(task !== undefined && { task: text(task) }) } }
    }
    case 'DelegateReported': {
      const { message, ...data } = event.data
      return { ...event, data: { ...data, ...(message !== undefined && { message: text(message) }) } }
    }
    case 'SettingChanged':
      return { ...event, data: mapSetting(event.data, change) }
    case 'TurnStarted':
      return { ...event, data: { ...event.data, holder: line(event.data.holder) } }
    case 'Noted': {
      const { text: said, data: value, ...data } = event.data
      const words = said === undefined ? {} : { text: text(said) }
      return { ...event, data: { ...data, ...words, ...(value !== undefined && { data: json(value) }) } }
    }
    case 'Reopened':
    case 'Archived':
    case 'Unarchived':
    case 'Redacted':
    case 'PurgeStarted':
    case 'Purged':
    case 'Rewound':
    case 'RewindUndone':
    case 'CompactionUndone':
    case 'TurnRenewed':
    case 'TurnEnded':
    case 'UsageRecorded':
    case 'Claimed':
    case 'Released':
    case 'ClaimDropped':
      return event
    default:
      return event satisfies never
  }
}

function withTitle(
  event: Extract<SessionEvent, { readonly type: 'Restored' | 'Renamed' }>,
  title: string,
): SessionEvent {
  return event.type === 'Restored'
    ? { ...event, data: { ...event.data, title } }
    : { ...event, data: { ...event.data, title } }
}

function mapPart(part: Part, { text, line, json, attachment }: WordChanges): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: text(part.text) }
    case 'reasoning': {
      const { signature, ...rest } = part
      return { ...rest, text: text(part.text), ...(signature !== undefined && { signature: line(signature) }) }
    }
    case 'tool-call': {
      const { arguments: given, argumentsText, ...rest } = part
      return {
        ...rest,
        name: line(part.name),
        ...(given !== undefined && { arguments: json(given) }),
        ...(argumentsText !== undefined && { argumentsText: text(argumentsText) }),
      }
    }
    case 'tool-result': {
      const { name, ...rest } = part
      return { ...rest, ...(name !== undefined && { name: line(name) }), text: text(part.text) }
    }
    case 'image':
    case 'file':
      return attachment(part)
    case 'other':
      return { ...part, data: json(part.data) }
    default:
      return part satisfies never
  }
}

function mapSetting(setting: Setting, { text, line, name, json }: WordChanges): Setting {
  switch (setting.key) {
    case 'workspace':
      return { ...setting, value: setting.value === null ? null : line(setting.value) }
    case 'system-prompt':
    case 'goal':
      return { ...setting, value: setting.value === null ? null : text(setting.value) }
    case 'route':
      return { ...setting, route: name(setting.route) }
    case 'tag':
      return { ...setting, tag: name(setting.tag) }
    case 'reaction':
      return { ...setting, author: name(setting.author), emoji: line(setting.emoji) }
    case 'host':
      return { ...setting, name: name(setting.name), value: setting.value === null ? null : json(setting.value) }
    case 'model':
    case 'pinned':
    case 'hidden':
    case 'read-mark':
      return setting
    default:
      return setting satisfies never
  }
}
