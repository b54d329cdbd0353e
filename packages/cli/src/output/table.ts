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

/** Natural widths; while the row is too wide, the widest of the columns that may give way gives a column. */
function columnWidths(
  screen: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly number[] {
  const widths = columns.map(({ head }, at) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? '')), displayWidth(head)),
  )
  const spare = (at: number): number => (widths[at] ?? 0) - (columns[at]?.atLeast ?? Number.POSITIVE_INFINITY)
  const flexible = columns.flatMap(({ atLeast }, at) => (atLeast === undefined ? [] : [at]))
  let tooWide = widths.reduce((sum, width) => sum + width + gap, 0) - gap - screen
  while (tooWide > 0) {
    const [widest] = flexible.filter((at) => spare(at) > 0).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
    tooWide -= 1
  }
  return widths
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
