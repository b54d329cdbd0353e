import { measureAppends } from './appends.ts'
import { measureCompacted } from './compacted.ts'
import { measureDeleting } from './deleting.ts'
import { measureFolding } from './folding.ts'
import { printLine, type Line } from './line.ts'
import { measureLists } from './lists.ts'
import { measureLongSessions } from './long-sessions.ts'
import { measureReading } from './reading.ts'
import { inScratchFolder } from './scratch-folder.ts'
import { measureSearch } from './search.ts'
import { measureSizes } from './sizes.ts'
import { measureStarting } from './starting.ts'
import { measureVerifying } from './verifying.ts'
import { measureViews } from './views.ts'

const sections: { readonly [name: string]: (folder: string) => Promise<readonly Line[]> } = {
  appends: measureAppends,
  reading: measureReading,
  folding: measureFolding,
  verifying: measureVerifying,
  views: measureViews,
  lists: measureLists,
  'long-sessions': measureLongSessions,
  compacted: measureCompacted,
  deleting: measureDeleting,
  search: measureSearch,
  sizes: measureSizes,
  starting: measureStarting,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(sections).join(', ')}.`)
  process.exit(2)
}
console.log(`Node ${process.version}; every figure is a median of pairs measured in this run, with its range.`)
for (const [name, measure] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const line of await inScratchFolder(measure)) printLine(line)
}
