import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqliteStore } from '@refold/engine'
import { eventStoreContract } from '../contract/event-store-suite.ts'
import { makeFolder } from './temporary-folder.ts'

const folder = makeFolder()
afterAll(() => rmSync(folder, { recursive: true }))

eventStoreContract('SQLite, on disk', () => openSqliteStore({ file: join(folder, 'disk.db') }))
eventStoreContract('SQLite, in the system', () =>
  openSqliteStore({ file: join(folder, 'system.db'), durability: 'system' }),
)
