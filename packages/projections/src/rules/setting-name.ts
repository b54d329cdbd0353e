import type { Json, Setting } from '@refold/events'

/** Name of a setting's row: its key, with what tells several of a kind apart. */
export function settingName(setting: Setting): string {
  switch (setting.key) {
    case 'tag':
      return `tag:${setting.tag}`
    case 'route':
      return `route:${setting.route}`
    case 'host':
      return `host:${setting.name}`
    case 'reaction':
      return `reaction:${JSON.stringify([setting.message, setting.author, setting.emoji])}`
    case 'model':
    case 'system-prompt':
    case 'workspace':
    case 'goal':
    case 'pinned':
    case 'hidden':
    case 'read-mark':
      return setting.key
    default: {
      const never: never = setting
      return never
    }
  }
}

/** What its row holds. Prompts and goals may be long: they stay in the log and are found there by the row's revision. */
export function settingValue(setting: Setting): { readonly value: Json; readonly present: boolean } {
  switch (setting.key) {
    case 'tag':
    case 'reaction':
      return { value: setting.present, present: setting.present }
    case 'route':
      return { value: setting.generation, present: setting.bound }
    case 'system-prompt':
    case 'goal':
      return { value: null, present: setting.value !== null }
    case 'model':
    case 'workspace':
    case 'pinned':
    case 'hidden':
    case 'read-mark':
    case 'host':
      return { value: setting.value, present: setting.value !== null }
    default: {
      const never: never = setting
      return never
    }
  }
}
