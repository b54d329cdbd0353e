import type { TitleAuthor } from '@refold/events'
import type { HermesConversation } from '../hermes/conversation.ts'
import type { ImportTarget } from '../importing/history-report.ts'
import type { SessionWriter } from '../importing/session-writer.ts'

export type Titled = Pick<HermesConversation, 'rootId' | 'title' | 'titleSource'>

/** Gives a session the title it has in the source, as long as nobody gave it another one here. */
export async function writeTitle(writer: SessionWriter, { rootId, title, titleSource }: Titled): Promise<void> {
  if (title === null && !writer.isFollowed('title')) return
  const by = authorOf(titleSource)
  await follow(writer, rootId, JSON.stringify([title]), { title: title?.toWellFormed() ?? null, by })
}

/** Another session of the source keeps this title: gives this one the next free number. */
export async function yieldTitle(writer: SessionWriter, { rootId, title, titleSource }: Titled): Promise<void> {
  if (title === null) return
  const value = JSON.stringify([title, 'yielded'])
  const given = writer.isCurrent('title', value) ? title : await freeNumber(writer.place.engine, title.toWellFormed())
  if (await follow(writer, rootId, value, { title: given, by: authorOf(titleSource) }))
    writer.place.tally.warn('title-numbered', `sessions/${rootId}.title`, given)
}

async function follow(
  writer: SessionWriter,
  rootId: string,
  value: string,
  data: { readonly title: string | null; readonly by: TitleAuthor },
): Promise<boolean> {
  const isNew = !writer.isCurrent('title', value)
  const followed = await writer.follow('title', value, { type: 'Renamed', data })
  if (!followed) writer.place.tally.warn('changed-here', `sessions/${rootId}.title`, 'the title here')
  return followed && isNew
}

/** Numbers are tried in turn up to this one; beyond, a free one behind a taken one will do. */
const TRIED_IN_TURN = 8

/** Costs a few look-ups, however many sessions have the title. */
async function freeNumber(engine: ImportTarget, title: string): Promise<string> {
  let [last, next] = [1, 2]
  while (!(await isFree(next))) [last, next] = [next, next < TRIED_IN_TURN ? next + 1 : next * 2]
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2)
    if (await isFree(middle)) next = middle
    else last = middle
  }
  return `${title} #${next}`

  async function isFree(number: number): Promise<boolean> {
    const holder = await engine.session(`${title} #${number}`)
    return !holder.ok && holder.code === 'session-not-found'
  }
}

const authors: ReadonlyMap<string, TitleAuthor> = new Map([
  ['derived', 'derived'],
  ['llm', 'model'],
  ['branch', 'branch'],
  ['branch_fallback', 'branch'],
])

/** A title of unknown source is as good as a person's. */
function authorOf(source: string | null): TitleAuthor {
  return authors.get(source ?? '') ?? 'person'
}
