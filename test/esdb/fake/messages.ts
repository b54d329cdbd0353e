import type * as shared from '@eventstore/db-client/generated/shared_pb.js'
import type * as streams from '@eventstore/db-client/generated/streams_pb.js'
import type { KeptEvent, ProposedEvent } from './kept-event.ts'
import { sharedPb, streamsPb } from './protocol-messages.ts'

/** Messages of the protocol from and to what a node keeps. */

export const nameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  new TextDecoder().decode(identifier?.getStreamName_asU8() ?? new Uint8Array())

export function identifierOf(stream: string): shared.StreamIdentifier {
  const identifier = new sharedPb.StreamIdentifier()
  identifier.setStreamName(new TextEncoder().encode(stream))
  return identifier
}

export function uuidOf(text: string): shared.UUID {
  const uuid = new sharedPb.UUID()
  uuid.setString(text)
  return uuid
}

export function proposedEvent(
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent {
  const facts = message.getMetadataMap()
  return {
    id: message.getId()?.getString() ?? '',
    type: facts.get('type') ?? '',
    contentType: facts.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

export function eventAnswer(event: KeptEvent): streams.ReadResp {
  const recorded = new streamsPb.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(uuidOf(event.id))
  recorded.setStreamIdentifier(identifierOf(event.stream))
  recorded.setStreamRevision(String(event.revision))
  recorded.setCommitPosition(String(event.position))
  recorded.setPreparePosition(String(event.position))
  recorded.setData(event.data)
  recorded.setCustomMetadata(event.metadata)
  const facts = recorded.getMetadataMap()
  facts.set('type', event.type)
  facts.set('content-type', event.contentType)
  facts.set('created', event.created)
  const read = new streamsPb.ReadResp.ReadEvent()
  read.setEvent(recorded)
  read.setCommitPosition(String(event.position))
  const answer = new streamsPb.ReadResp()
  answer.setEvent(read)
  return answer
}

export function confirmation(id: string): streams.ReadResp {
  const confirmed = new streamsPb.ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId(id)
  const answer = new streamsPb.ReadResp()
  answer.setConfirmation(confirmed)
  return answer
}

export function checkpoint(position: number): streams.ReadResp {
  const reached = new streamsPb.ReadResp.Checkpoint()
  reached.setCommitPosition(String(position))
  reached.setPreparePosition(String(position))
  const answer = new streamsPb.ReadResp()
  answer.setCheckpoint(reached)
  return answer
}

export function caughtUp(): streams.ReadResp {
  const answer = new streamsPb.ReadResp()
  answer.setCaughtUp(new streamsPb.ReadResp.CaughtUp())
  return answer
}

export function notFound(stream: string): streams.ReadResp {
  const missing = new streamsPb.ReadResp.StreamNotFound()
  missing.setStreamIdentifier(identifierOf(stream))
  const answer = new streamsPb.ReadResp()
  answer.setStreamNotFound(missing)
  return answer
}
