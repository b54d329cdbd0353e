// Takes a log into its index, a few events at a time, and says so; to be killed anywhere.
import { openSqliteStore, SearchIndex, systemSource } from '@refold/engine'

const [, , file = '', index = '', pageSize = ''] = process.argv
const log = await openSqliteStore({ file, access: 'write', durability: 'system' })
const search = new SearchIndex({ log, source: systemSource, file: index, pageSize: Number(pageSize) })
await search.catchUp({ onProgress: ({ events }) => console.log(`taken ${events}`) })
console.log('done')
await search.close()
await log.close()
