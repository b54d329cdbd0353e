import type { DoctorReport, Finding } from '@refold/engine'
import { counted, grouped } from '../output/amount.ts'
import type { Look } from '../output/look.ts'
import { safeText } from '../output/safe-text.ts'

/** A report as `--json` says it. */
export function doctorJson(report: DoctorReport): object {
  const { ok, position, streams, events, blobs, views, counts, findings, mended } = report
  return { ok, position, streams, events, blobs, views, counts, findings: findings.map(findingJson), mended }
}

function findingJson({ code, severity, message, advice, columns, ...place }: Finding): object {
  const drift = columns?.map(({ name, stored, folded }) => ({ name, stored: stored ?? null, folded: folded ?? null }))
  return { code, severity, message, advice, ...place, ...(drift && { columns: drift }) }
}

/** The same for people: what was mended, each finding with what to do, and how it is as a whole. */
export function doctorWords({ colours }: Look, report: DoctorReport): string {
  const { ok, streams, events, views, findings, counts, mended } = report
  const lines = mended.map(({ message }) => safeText(message))
  const told = new Map<string, number>()
  for (const found of findings) {
    const { code, severity, message, advice } = found
    told.set(code, (told.get(code) ?? 0) + 1)
    const name = severity === 'damage' ? colours.red(code) : colours.yellow(code)
    lines.push(`${name}: ${safeText(message)} ${safeText(advice)}`, ...driftLines(found))
  }
  for (const [code, count = 0] of Object.entries(counts)) {
    const more = count - (told.get(code) ?? 0)
    if (more > 0) lines.push(`${code}: ${grouped(more)} more of them.`)
  }
  const rows = views === null ? 'no stored views were compared' : `views compared up to position ${grouped(views)}`
  const whole = `${counted(events, 'event')} in ${counted(streams, 'stream')}, ${rows}`
  lines.push(ok ? `Healthy: ${whole}.` : colours.red(`Damaged: ${whole}.`))
  return lines.join('\n')
}

function driftLines({ code, columns = [], events = [] }: Finding): readonly string[] {
  const lines =
    code === 'row-different'
      ? columns.map(({ name, stored, folded }) => `  ${name}: stored ${said(stored)}, by the log ${said(folded)}`)
      : []
  if (events.length > 0)
    lines.push(`  made by ${events.map(({ stream, revision }) => `revision ${revision} of ${stream}`).join(', ')}`)
  return lines.map(safeText)
}

const LONGEST = 80

function said(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
