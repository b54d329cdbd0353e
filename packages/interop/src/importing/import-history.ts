import { importHermes } from '../from-hermes/import-hermes.ts'
import { NotHermes } from '../hermes/hermes-source.ts'
import { importExport } from './import-export.ts'
import { formatOf } from './format-of.ts'
import { UnknownHistory, type ImportHistory } from './history-report.ts'

export const importHistory: ImportHistory = async (engine, path, options = {}) => {
  const format = options.format === undefined || options.format === 'auto' ? await formatOf(path) : options.format
  switch (format) {
    case 'hermes':
      try {
        return await importHermes(engine, path, options)
      } catch (problem) {
        if (problem instanceof NotHermes || isNoDatabase(problem)) throw new UnknownHistory(path, { cause: problem })
        throw problem
      }
    case 'refold':
      return importExport(engine, path, options)
    default:
      return format satisfies never
  }
}

function isNoDatabase(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'SQLITE_NOTADB'
}
