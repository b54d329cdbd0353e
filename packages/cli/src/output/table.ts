import { displayWidth, fit } from './display-width.ts'
import type { Look } from './look.ts'

export interface Column {
  readonly head: string
  readonly align?: 'left' | 'right'
  /** Gives way when the row is wider than the screen; at least this many columns stay. */
  readonly atLeast?: number
  /** When that is not enough: `leaves` with all it says, or `stays` whole until such columns have left. */
  readonly inNeed?: 'leaves' | 'stays'
}

const gap = 2

/** Rows under heads, without frames, so that they can be read, cut and pasted. Cells are one line of safe text each. */
export function table(look: Look, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(look.columns, columns, rows)
  const shown = columns.flatMap(({ align = 'left' }, at) => (widths[at] === 0 ? [] : [{ at, align }]))
  const drawn = [columns.map(({ head }) => head), ...rows].map((row) =>
    shown.map(({ at }) => fit(row[at] ?? '', widths[at] ?? 0)),
  )
  const lengths = drawn.map((cells) => cells.map(displayWidth))
  const padding = shown.map((_, at) => lengths.reduce((widest, row) => Math.max(widest, row[at] ?? 0), 0))
  const [head = '', ...lines] = drawn.map((cells, line) =>
    cells
      .map((cell, at) => {
        const room = ' '.repeat((padding[at] ?? 0) - (lengths[line]?.[at] ?? 0))
        return shown[at]?.align === 'right' ? room + cell : cell + room
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
  return [look.colours.dim(head), ...lines].join('\n')
}

/** Widths that fit the screen, if they can: first columns give way, then some leave (0), then the last ones give way. */
function columnWidths(
  screen: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly number[] {
  const natural = columns.map(({ head }, at) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? '')), displayWidth(head)),
  )
  const first = narrowed(screen, columns, natural, ({ inNeed }) => inNeed !== 'stays')
  if (excess(screen, first) <= 0) return first
  const left = natural.map((width, at) => (columns[at]?.inNeed === 'leaves' ? 0 : width))
  const second = narrowed(screen, columns, left, ({ inNeed }) => inNeed !== 'stays')
  return narrowed(screen, columns, second, () => true)
}

/** While the row is too wide, the widest of the columns that may give way gives a column. */
function narrowed(
  screen: number,
  columns: readonly Column[],
  natural: readonly number[],
  mayGiveWay: (column: Column) => boolean,
): readonly number[] {
  const widths = [...natural]
  const flexible = columns.flatMap((column, at) => (column.atLeast !== undefined && mayGiveWay(column) ? [at] : []))
  const spare = (at: number): number => (widths[at] ?? 0) - (columns[at]?.atLeast ?? 0)
  for (let tooWide = excess(screen, widths); tooWide > 0; tooWide -= 1) {
    const [widest] = flexible.filter((at) => spare(at) > 0).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** Columns by which a row is wider than the screen. */
function excess(screen: number, widths: readonly number[]): number {
  return widths.reduce((sum, width) => (width === 0 ? sum : sum + width + gap), 0) - gap - screen
}
