import Table from 'cli-table3'
import { displayWidth, fit } from './display-width.ts'
import type { Look } from './look.ts'

export interface Column {
  readonly head: string
  readonly align?: 'left' | 'right'
  /** Gives way when the row is wider than the screen; at least this many columns stay. */
  readonly atLeast?: number
}

const gap = 2

/** Rows under heads, without frames, so that they can be read, cut and pasted. Cells are one line of safe text each. */
export function table(look: Look, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(look.columns, columns, rows)
  const cells = (row: readonly string[]): string[] => row.map((cell, at) => fit(cell, widths[at] ?? 0))
  const drawn = new Table({
    chars: noFrame,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colAligns: columns.map(({ align }) => align ?? 'left'),
  })
  drawn.push(cells(columns.map(({ head }) => head)))
  drawn.push(...rows.map(cells))
  const [head = '', ...lines] = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
  return [look.colours.dim(head), ...lines].join('\n')
}

/** Natural widths; the columns that may give way share what is lacking. */
function columnWidths(
  screen: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly number[] {
  const widths = columns.map(({ head }, at) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? '')), displayWidth(head)),
  )
  let tooWide = widths.reduce((sum, width) => sum + width + gap, 0) - gap - screen
  return widths.map((width, at) => {
    const least = columns[at]?.atLeast
    if (least === undefined || tooWide <= 0) return width
    const given = Math.min(tooWide, Math.max(0, width - least))
    tooWide -= given
    return width - given
  })
}

const noFrame = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}
