export { auditTrail, type AuditEntry, type AuditFilter } from './audit-trail.ts'
export { verifyStore, type Verified, type VerifyOptions } from './verify-store.ts'
export { HeadsCheck } from './heads-check.ts'
export { describeBreak } from './verify-report.ts'
export type * from './verify-report.ts'
export {
  BadHeads,
  checkSignature,
  headsFile,
  headsText,
  parseHeads,
  signHeads,
  sortedHeads,
  type HeadsList,
  type ListedHead,
} from './listed-heads.ts'
export { basesOf } from './bases.ts'
