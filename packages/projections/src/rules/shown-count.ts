import { countHidden } from '../read/hidden-at.ts'
import { hiddenIn, levelsOf } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { firstPreview } from './preview.ts'

/** What the transcript shows has changed: counts its messages and finds its preview anew, by arithmetic over intervals. */
export function recount(rows: TableRows, stream: string): void {
  const levels = levelsOf(rows, stream)
  const messages = levels[0].boundShown - countHidden(hiddenIn(rows, levels))
  const preview = firstPreview(rows, stream)
  changeTip(rows, stream, (tip) => {
    tip.messages = messages
    tip.preview = preview?.text ?? null
    tip.previewEntry = preview?.n ?? null
  })
}
