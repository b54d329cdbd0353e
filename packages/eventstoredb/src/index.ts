export { eventStoreDB, type EventStoreDBOptions } from './open-event-store-db.ts'
