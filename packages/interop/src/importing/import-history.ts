import { importHermes } from '../from-hermes/import-hermes.ts'
import { formatOf } from './format-of.ts'
import type { ImportHistory } from './history-report.ts'

export const importHistory: ImportHistory = async (engine, path, options = {}) => {
  const format = options.format === undefined || options.format === 'auto' ? await formatOf(path) : options.format
  switch (format) {
    case 'hermes':
      return importHermes(engine, path, options)
    default:
      return format satisfies never
  }
}
