import { isKnown, type EventRef, type EventStore, type Json } from '@refold/events'
import { wholeText, type LogContent, type SettingRow } from '@refold/projections'
import type { Change, SessionDifference } from '../answers/difference.ts'
import { fetchContent } from './fetch-content.ts'

export type SettingsThen = readonly Readonly<SettingRow>[]

const TAG = 'tag:'
/** Settings whose texts stay in the log. */
const TEXTS: ReadonlySet<string> = new Set(['system-prompt', 'goal'])

/** Which settings and tags a session has at one point and not at another, or otherwise; texts in full. */
export async function settingsDifference(
  store: EventStore,
  stream: string,
  { before, after }: Change<SettingsThen>,
): Promise<Pick<SessionDifference, 'settings' | 'tags'>> {
  const [was, is] = [byName(before), byName(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => !isSame(was.get(name), is.get(name)))
  const rows = names.flatMap((name) => [was.get(name) ?? [], is.get(name) ?? []].flat())
  const refs = rows.filter(({ name }) => TEXTS.has(name)).map(({ revision }) => ({ stream, revision }))
  const content = await fetchContent(store, refs)
  const valueOf = (row: Readonly<SettingRow> | undefined): Json => {
    if (!row || !TEXTS.has(row.name)) return row?.value ?? null
    return textIn(content, { stream, revision: row.revision })
  }
  const tags = (of: ReadonlyMap<string, unknown>): readonly string[] =>
    names.filter((name) => name.startsWith(TAG) && of.has(name)).map((name) => name.slice(TAG.length))
  return {
    settings: names
      .filter((name) => !name.startsWith(TAG))
      .toSorted()
      .map((name) => ({ name, before: valueOf(was.get(name)), after: valueOf(is.get(name)) }))
      .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after)),
    tags: { added: tags(is), removed: tags(was) },
  }
}

const byName = (rows: SettingsThen): ReadonlyMap<string, Readonly<SettingRow>> =>
  new Map(rows.map((row) => [row.name, row]))

function isSame(one: Readonly<SettingRow> | undefined, other: Readonly<SettingRow> | undefined): boolean {
  if (!one || !other) return one === other
  if (one.revision === other.revision) return true
  return !TEXTS.has(one.name) && JSON.stringify(one.value) === JSON.stringify(other.value)
}

function textIn(content: LogContent, ref: EventRef): string | null {
  const event = content.event(ref)
  if (!event || !isKnown(event) || event.type !== 'SettingChanged') return null
  const { data } = event
  if (data.key !== 'system-prompt' && data.key !== 'goal') return null
  return data.value === null ? null : wholeText(content, data.value)
}
