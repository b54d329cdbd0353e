import { measureAppends } from './appends.ts'
import { printLine, type Line } from './line.ts'
import { measureReading } from './reading.ts'
import { inScratchFolder } from './scratch-folder.ts'

const sections: { readonly [name: string]: (folder: string) => Promise<readonly Line[]> } = {
  appends: measureAppends,
  reading: measureReading,
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
