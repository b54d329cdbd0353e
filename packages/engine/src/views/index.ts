export type { Checkpoint, RebuildOptions, RebuildProgress, Views } from './views.ts'
export { openViews, type OpenViewsOptions } from './open-views.ts'
export { storedRows, type StoredRows } from './stored-rows.ts'
export { viewSchema } from './view-schema.ts'
