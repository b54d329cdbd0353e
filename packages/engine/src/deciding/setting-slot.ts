import type { Setting } from '@refold/events'

/** Name under which a setting's newest value counts: two settings with one slot replace each other. */
export function settingSlot(setting: Setting): string {
  switch (setting.key) {
    case 'model':
    case 'system-prompt':
    case 'workspace':
    case 'goal':
    case 'pinned':
    case 'hidden':
    case 'read-mark':
      return setting.key
    case 'route':
      return `route ${setting.route}`
    case 'tag':
      return `tag ${setting.tag}`
    case 'host':
      return `host ${setting.name}`
    case 'reaction':
      return `reaction ${JSON.stringify([setting.message, setting.author, setting.emoji])}`
    default:
      return setting satisfies never
  }
}
