export { doctorOfFile, type DoctorOfFileOptions } from './doctor-of-file.ts'
export { findingKinds, type FindingCode, type FindingKind, type Remedy, type Severity } from './finding-kinds.ts'
export type { ColumnDrift, Finding, FindingPlace } from './finding.ts'
export type * from './doctor-report.ts'
