import { isIdentifier, type Sha256 } from '@refold/events'

/**
 * The `attempt`th name under which a session of a foreign program can live here: its own id, unless that is too long or
 * another session has it.
 */
export function derivedName(sha256: Sha256, tool: string, id: string, attempt: number): string {
  if (attempt === 0 && isIdentifier(id)) return id
  const named = attempt < 2 ? `${tool}-${id}` : `${tool}-${attempt}-${id}`
  return isIdentifier(named) ? named : `${tool}-${attempt}-${sha256(id).slice(0, 24)}`
}

/** A message's name in one session. */
export function messageName(sha256: Sha256, key: string): string {
  return isIdentifier(key) ? key : `message-${sha256(key).slice(0, 24)}`
}
