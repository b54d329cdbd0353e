/* What another store is built from, so that all keep the same rules. */
export { checkAppend } from './check-append.ts'
export { CommitListeners } from './commit-listeners.ts'
export { hex } from './hex.ts'
export { LogSubscriptions } from './log-subscriptions.ts'
export { pageLimit } from './page-limit.ts'
export { planAppend, type AppendPlan, type LogIndex } from './plan-append.ts'
export { Salts } from './salts.ts'
export { sealAppend, type SealedEvent, type Sealing } from './seal-append.ts'
