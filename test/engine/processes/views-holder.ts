// Takes the write lock of a views file and says so; lets go when a file appears.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

const [, , views = '', goFile = ''] = process.argv
const database = new Database(views)
database.exec('BEGIN IMMEDIATE')
console.log('held')
while (!existsSync(goFile)) await sleep(5)
database.exec('COMMIT')
database.close()
