// Opens a store, reads it and appends to it, and says on one line how each went.
import { openSqliteStore } from '@refold/engine'

const [, , file, access] = process.argv
const told = {}
const attempt = async (name, work) => {
  try {
    told[name] = await work()
  } catch (problem) {
    told[name] = problem.code ?? String(problem)
  }
}
let store
await attempt('open', async () => {
  store = await openSqliteStore({ file, access })
  return 'done'
})
if (store !== undefined) {
  await attempt('read', async () => (await store.readAll({ limit: 100 })).length)
  await attempt('append', async () => (await store.append({ streams: [] })).ok)
  await store.close()
}
console.log(JSON.stringify(told))
