// Writes with many callers at once, each at its own pace, until it is killed. Every acknowledgement goes to standard output
// as soon as it is there; the marker file tells whether a transaction is open, and how many were committed.
import { createHash, randomUUID } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStore } from '@refold/engine'

const [, , file, markerFile, name, callers] = process.argv
const store = await openSqliteStore({ file, waitMs: 30_000 })
const marker = openSync(markerFile, 'w')
let isOpen = false
let commits = 0

const mark = (open) => {
  isOpen = open
  const words = new Int32Array([open ? 1 : 0, commits])
  writeSync(marker, words, 0, words.byteLength, 0)
}

const acknowledge = (line) => {
  for (;;) {
    try {
      return writeSync(1, line)
    } catch (problem) {
      if (problem.code !== 'EAGAIN') throw problem
    }
  }
}

const event = (text) => ({
  id: randomUUID().replaceAll('-', ''),
  type: 'Noted',
  version: 1,
  payload: JSON.stringify({ note: 'n', kind: 'kill', shownTo: 'none', text }),
  recordedAt: Date.now(),
  actor: { kind: 'agent', id: name },
})

async function call(number) {
  const own = `session-kill.${name}-${number}`
  const twin = `${own}-twin`
  for (let count = 0; ; count += 1) {
    const text = 'x'.repeat((count % 7) * 300)
    const bytes = Buffer.from(`${own} ${count} ${'y'.repeat(count % 10 === 0 ? 20_000 : 10)}`)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const answer = await store.transact((log) => {
      if (!isOpen) mark(true)
      return log.append({
        streams: [own, twin].map((stream) => ({
          stream,
          expected: log.head(stream)?.revision ?? 'no-stream',
          events: [event(text)],
        })),
        blobs: [{ hash, bytes }],
      })
    })
    if (isOpen) {
      commits += 1
      mark(false)
    }
    if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`)
    for (const { stream, revision, hash: link } of answer.events) acknowledge(`${stream} ${revision} ${link} ${hash}\n`)
    await sleep(Math.random() * 80)
  }
}

mark(false)
await Promise.all(Array.from({ length: Number(callers) }, (_, number) => call(number)))
