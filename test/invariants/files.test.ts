import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { afterEach, expect, test } from 'vitest'
import { openEngine, taken, viewsFileOf } from '@refold/engine'
import { linesOf, startIn, sure } from '../support/facade-world.ts'
import { allReads, compact, open, turns } from './conversation.ts'

const seed = 23_023
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refold-files-'))
  folders.push(folder)
  return join(folder, 'log.db')
}

test('B11: views that are lost, old, damaged or of another log are made anew, and appends never wait for that', async () => {
  const file = await newFile()
  const durability = 'system'
  const engine = await openEngine({ file, durability })
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  await session.transcript()
  await engine.close()
  await copyFile(viewsFileOf(file), `${file}.old`)
  const later = await openEngine({ file, durability })
  sure(await compact(await open(later, 's')))
  sure(await (await open(later, 's')).rewind({ to: 'A3' }))
  const before = { ...(await allReads(await open(later, 's'))), list: await later.list() }
  await later.close()
  const otherFile = await newFile()
  const other = await openEngine({ file: otherFile, durability })
  sure(await (await startIn(other)).append(turns(7, 9)))
  await other.list()
  await other.close()
  const harms = {
    lost: () => rm(viewsFileOf(file)),
    old: () => copyFile(`${file}.old`, viewsFileOf(file)),
    damaged: () => writeFile(viewsFileOf(file), 'SQLite format 3\0 and nothing that one would expect'.repeat(300)),
    'of another log': () => copyFile(viewsFileOf(otherFile), viewsFileOf(file)),
  }
  for (const [harm, doIt] of Object.entries(harms)) {
    await doIt()
    const again = await openEngine({ file, durability })
    const handle = await open(again, 's')
    expect({ harm, ...(await allReads(handle)), list: await again.list() }).toEqual({ harm, ...before })
    await again.close()
  }
  await harms.damaged()
  const last = await openEngine({ file, durability })
  expect(sure(await (await open(last, 's')).append(turns(5, 5)))).toMatchObject({ appended: 2 })
  await last.close()
})

/** What has torn lines, strings and records elsewhere. */
const odd = fc.array(
  fc.constantFrom(
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '\0',
    '\uD800',
    '\uDC00',
    '"',
    '\\',
    '}',
    '{"',
    '\uFEFF',
    '\u001E',
    'words',
    '日',
  ),
  { minLength: 1, maxLength: 12 },
)

property.prop([fc.array(odd, { minLength: 1, maxLength: 5 })], { seed, numRuns: 25 })(
  `B23: whatever stands in a message, each is one record and those beside it stay whole, also for who opens the file next (seed ${seed})`,
  async (texts) => {
    const file = await newFile()
    const engine = await openEngine({ file, durability: 'system' })
    const session = await startIn(engine)
    const messages = texts.flatMap((text, n) => [
      { id: `odd ${n}`, role: 'user', text: text.join('') },
      { id: `plain ${n}`, role: 'assistant', text: `Plain ${n}.` },
    ])
    for (const message of messages) sure(await session.append(message))
    await engine.close()
    const again = await openEngine({ file, durability: 'system' })
    const events = await (await open(again, 's')).events()
    expect(events.map(({ type }) => type)).toEqual(['SessionStarted', ...messages.map(() => 'MessageAppended')])
    expect(await linesOf(await open(again, 's'))).toEqual(
      messages.map(({ id, text }) => `${id}: ${text.toWellFormed()}`),
    )
    expect(taken(await again.list()).sessions).toMatchObject([{ messages: messages.length }])
    await again.close()
  },
)
