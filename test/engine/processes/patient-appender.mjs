// Appends one event, again and again while the store is busy, and says what it was answered each time.
import { writeSync } from 'node:fs'
import { openSqliteStore } from '@refold/engine'

const [, , file, name, waitMs] = process.argv
const store = await openSqliteStore({ file, waitMs: Number(waitMs) })
const event = {
  id: name.padEnd(32, '0'),
  type: 'Noted',
  version: 1,
  payload: JSON.stringify({ note: 'n', kind: 'patient', shownTo: 'none' }),
  recordedAt: 0,
  actor: { kind: 'agent', id: name },
}
let ticks = 0
setInterval(() => (ticks += 1), 5).unref()
writeSync(1, 'ready\n')
for (let isDone = false; !isDone;) {
  const ticksBefore = ticks
  try {
    const { ok } = await store.append({
      streams: [{ stream: `session-patient.${name}`, expected: 'any', events: [event] }],
    })
    isDone = ok
    writeSync(1, `${JSON.stringify({ ok })}\n`)
  } catch (problem) {
    const { code, fields } = problem
    writeSync(1, `${JSON.stringify({ code, fields, couldWorkMeanwhile: ticks > ticksBefore })}\n`)
    if (code !== 'store-busy') throw problem
  }
}
await store.close()
