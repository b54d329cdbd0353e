import type { Recorded, SessionEvent } from '@refold/events'

/** An event as it was said, without what the log added. */
export function said(event: Recorded): SessionEvent {
  const {
    id: _id,
    stream: _stream,
    revision: _revision,
    position: _position,
    recordedAt: _recordedAt,
    actor: _actor,
    correlationId: _correlationId,
    causationId: _causationId,
    version: _version,
    hash: _hash,
    ...rest
  } = event
  return rest
}
