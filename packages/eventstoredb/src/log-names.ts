/** Prefixes of the streams that make up the log; blobs and the store's own facts stand beside it. */
export const LOG_PREFIXES = ['session-', 'claim-'] as const
export const BLOB_PREFIX = 'blob-'
export const META_STREAM = 'refold-meta'

export function isOfLog(stream: string): boolean {
  return LOG_PREFIXES.some((prefix) => stream.startsWith(prefix))
}
