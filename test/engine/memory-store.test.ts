import { openMemoryStore, systemSource } from '@refold/engine'
import { eventStoreContract } from './contract/event-store-suite.ts'

eventStoreContract('in memory', async () => openMemoryStore(systemSource))
