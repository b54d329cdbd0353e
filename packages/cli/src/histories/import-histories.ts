import type { Engine } from '@refold/engine'
import type { HistoryReport } from '@refold/interop'
import { BadInput } from '../input/bad-input.ts'
import { Progress } from '../output/progress.ts'
import { safeLine } from '../output/safe-text.ts'
import type { Terminal } from '../output/terminal.ts'
import { interruptible } from '../place/interruptible.ts'
import { noHistory, type History } from './resolve-histories.ts'

/** Reads histories one after another; what was read before one fails stays, and running it again goes on. */
export async function importHistories(
  engine: Engine,
  histories: readonly History[],
  terminal: Terminal,
): Promise<readonly HistoryReport[]> {
  return interruptible(async (signal) => {
    const reports: HistoryReport[] = []
    for (const history of histories) reports.push(await importOne(engine, history, terminal, signal))
    return reports
  })
}

async function importOne(
  engine: Engine,
  { named, file, format }: History,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<HistoryReport> {
  const { ExportConflict, importHistory, UnknownHistory } = await import('@refold/interop')
  const { BundleBroken, OtherNamespace } = await import('@refold/engine')
  const progress = new Progress(terminal.errors, safeLine(named))
  try {
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }): void =>
      progress.update(done, total)
    return { ...(await importHistory(engine, file, { format, signal, onProgress })), path: named }
  } catch (error) {
    if (error instanceof UnknownHistory) throw noHistory(file, 'holds no history that Refold can read', error)
    if (error instanceof BundleBroken) {
      const { line, problem } = error
      throw new BadInput(
        error.code,
        `${file}: ${error.message} Nothing was written.`,
        { file, line, problem },
        { cause: error },
      )
    }
    if (error instanceof OtherNamespace) {
      const { code, namespace } = error
      const again = `${error.message} Import it with --namespace ${namespace}.`
      throw new BadInput(code, again, { file, namespace }, { cause: error })
    }
    if (error instanceof ExportConflict) {
      const { code, session } = error
      throw new BadInput(code, `${error.message} Nothing was written.`, { file, session }, { cause: error })
    }
    throw error
  } finally {
    await progress.close()
  }
}
