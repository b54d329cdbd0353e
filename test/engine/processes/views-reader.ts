// Reads views of a log, again and again until the log holds so many events, then says how many the rows count.
import { openSqliteStore } from '@refold/engine'
import { openSample, totalOf } from '../views-sample.ts'

const [, , log = '', views = '', pageSize = '10', events = '0'] = process.argv
const store = await openSqliteStore({ file: log, access: 'read' })
const sample = await openSample(store, views, { pageSize: Number(pageSize) })
console.log('open')
let total = 0
while (total < Number(events)) total = await sample.read(totalOf)
console.log(`total ${total}`)
await sample.close()
await store.close()
