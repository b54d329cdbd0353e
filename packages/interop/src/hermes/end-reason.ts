/**
 * What a stored end means: `deliberate` by a person or a finished job, `accident` when only the process or
 * the socket went away, `reset` when a peer began anew, `fork` when a branch took the person along,
 * `rotation` when a continuation should follow.
 */
export type EndClass = 'deliberate' | 'accident' | 'reset' | 'fork' | 'rotation'

const resets = new Set(['session_reset', 'session_switch', 'idle', 'daily', 'suspended', 'resume_pending_expired'])

const accidents = new Set([
  'agent_close',
  'ws_orphan_reap',
  'superseded_by_resume',
  'startup_orphan_reap',
  'tui_shutdown',
  'ws_disconnect',
  'idle_timeout',
  'lru_evict',
  'orphaned_compression',
])

export function endClass(reason: string): EndClass {
  if (reason === 'compression') return 'rotation'
  if (reason === 'branched') return 'fork'
  if (resets.has(reason)) return 'reset'
  return accidents.has(reason) ? 'accident' : 'deliberate'
}

export type HermesStatus = 'open' | 'ended' | 'interrupted'

/**
 * The state of a conversation by the end of its newest segment. A helper is closed by its agent when it is
 * done; for anybody else the same reason means that the agent went away.
 */
export function statusOf(
  tip: { readonly endReason: string | null; readonly endedAt: number | null },
  isDelegate: boolean,
): HermesStatus {
  if (tip.endReason === null) return tip.endedAt === null ? 'open' : 'ended'
  if (isDelegate && tip.endReason === 'agent_close') return 'ended'
  const meaning = endClass(tip.endReason)
  return meaning === 'accident' || meaning === 'rotation' ? 'interrupted' : 'ended'
}
