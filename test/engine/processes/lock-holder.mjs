// Opens a transaction, says so, and holds the lock until a file appears.
import { existsSync, writeSync } from 'node:fs'
import { openSqliteStore } from '@refold/engine'

const [, , file, goFile] = process.argv
const store = await openSqliteStore({ file })
const pause = new Int32Array(new SharedArrayBuffer(4))
const event = {
  id: 'a'.repeat(32),
  type: 'Noted',
  version: 1,
  payload: JSON.stringify({ note: 'n', kind: 'held', shownTo: 'none' }),
  recordedAt: 0,
  actor: { kind: 'agent', id: 'holder' },
}
await store.transact((log) => {
  const answer = log.append({ streams: [{ stream: 'session-held.one', expected: 'no-stream', events: [event] }] })
  writeSync(1, 'inside\n')
  while (!existsSync(goFile)) Atomics.wait(pause, 0, 0, 5)
  return answer
})
writeSync(1, 'committed\n')
await store.close()
