import type { Projection } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { holdTitle, releaseTitle } from './hold-title.ts'
import { inSession } from './in-session.ts'
import { titleNumbers, titles as titlesTable, titleSpans } from './titles-rows.ts'

/**
 * Names, unique within a namespace among sessions that are not deleted, whatever the log says: the first in log order
 * holds the plain one. A person's title gives way to a person's only.
 */
export const titles: Projection<Tables> = {
  name: 'titles',
  version: 2,
  tables: { titles: titlesTable, titleNumbers, titleSpans },
  rules: {
    Renamed: inSession<'Renamed'>(({ stream, revision, data }, rows, tip) => {
      if (tip.title !== null && tip.titleBy === 'person' && data.by !== 'person') return
      releaseTitle(rows, stream)
      changeTip(rows, stream, (draft) => {
        draft.title = data.title
        draft.titleBy = data.title === null ? null : data.by
        draft.titleRevision = data.title === null ? null : revision
      })
      holdTitle(rows, stream)
    }),
  },
}
