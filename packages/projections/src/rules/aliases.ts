import type { Projection } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { aliases as aliasesTable } from './aliases-rows.ts'
import { inSession } from './in-session.ts'

/** Every id that a session ever had. The session's own is written when its rows are made. */
export const aliases: Projection<Tables> = {
  name: 'aliases',
  version: 1,
  tables: { aliases: aliasesTable },
  rules: {
    SessionStarted: inSession<'SessionStarted'>(({ stream, data }, rows, { namespace }) => {
      const name = data.importedFrom?.session
      if (name !== undefined) rows.aliases.insert({ namespace, name, stream, kind: 'imported' })
    }),
    Rotated: inSession<'Rotated'>(({ stream, data }, rows, { namespace }) => {
      rows.aliases.insert({ namespace, name: data.to, stream, kind: 'segment' })
    }),
  },
}
