import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js'
import type * as code from '@eventstore/db-client/generated/code_pb.js'
import type * as shared from '@eventstore/db-client/generated/shared_pb.js'
import type * as status from '@eventstore/db-client/generated/status_pb.js'
import type * as streams from '@eventstore/db-client/generated/streams_pb.js'
import type { AppendResult, Expected, ProposedEvent } from './kept-event.ts'
import { identifierOf, nameOf, proposedEvent } from './messages.ts'
import { appendWithFaults, type NodeState } from './node-state.ts'
import { anyPb, codePb, emptyPb, sharedPb, statusPb, streamsPb } from './protocol-messages.ts'
import { refusalOf, streamDeleted, tooLarge } from './trailers.ts'

type OneShot = ServerReadableStream<streams.AppendReq, streams.AppendResp>
type Batch = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** One append a call: its options first, then its events. */
export function appendCall(node: NodeState): (call: OneShot, answer: sendUnaryData<streams.AppendResp>) => void {
  return (call, answer) => {
    let options: streams.AppendReq.Options | undefined
    const events: ProposedEvent[] = []
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions()
      const message = request.getProposedMessage()
      if (message) events.push(proposedEvent(message))
    })
    call.on('error', () => undefined) // the client went away
    call.on('end', () => {
      const refusal = refusalOf(node.faults, true)
      if (refusal) return answer(refusal)
      void answerOne(node, options, events, answer)
    })
  }
}

async function answerOne(
  node: NodeState,
  options: streams.AppendReq.Options | undefined,
  events: readonly ProposedEvent[],
  answer: sendUnaryData<streams.AppendResp>,
): Promise<void> {
  const stream = nameOf(options?.getStreamIdentifier())
  const result = await appendWithFaults(node, stream, expectedOf(options), events)
  if (!result) return
  if (result.kind === 'deleted') answer(streamDeleted(stream))
  else if (result.kind === 'too-large') answer(tooLarge(result.limit))
  else answer(null, oneShotAnswer(result))
}

function expectedOf(options: streams.AppendReq.Options | undefined): Expected {
  if (options?.hasNoStream() === true) return 'no-stream'
  if (options?.hasStreamExists() === true) return 'stream-exists'
  return options?.hasRevision() === true ? Number(options.getRevision()) : 'any'
}

function oneShotAnswer(result: Exclude<AppendResult, { kind: 'deleted' | 'too-large' }>): streams.AppendResp {
  const response = new streamsPb.AppendResp()
  if (result.kind === 'wrong-version') {
    const wrong = new streamsPb.AppendResp.WrongExpectedVersion()
    if (result.current === undefined) wrong.setCurrentNoStream(new sharedPb.Empty())
    else wrong.setCurrentRevision(String(result.current))
    if (typeof result.expected === 'number') wrong.setExpectedRevision(String(result.expected))
    else if (result.expected === 'no-stream') wrong.setExpectedNoStream(new sharedPb.Empty())
    else if (result.expected === 'stream-exists') wrong.setExpectedStreamExists(new sharedPb.Empty())
    else wrong.setExpectedAny(new sharedPb.Empty())
    response.setWrongExpectedVersion(wrong)
    return response
  }
  const success = new streamsPb.AppendResp.Success()
  if (result.revision === undefined) success.setNoStream(new sharedPb.Empty())
  else success.setCurrentRevision(String(result.revision))
  if (result.position === undefined) success.setNoPosition(new sharedPb.Empty())
  else {
    const position = new streamsPb.AppendResp.Position()
    position.setCommitPosition(String(result.position))
    position.setPreparePosition(String(result.position))
    success.setPosition(position)
  }
  response.setSuccess(success)
  return response
}

interface Pending {
  readonly options: streams.BatchAppendReq.Options | undefined
  readonly events: ProposedEvent[]
}

/** Many appends over one call, told apart by correlation ids; each happens at its final frame, in their order. */
export function batchAppendCall(node: NodeState): (call: Batch) => void {
  return (call) => {
    const pending = new Map<string, Pending>()
    let turn: Promise<void> = Promise.resolve()
    call.on('error', () => undefined) // the client went away
    call.on('end', () => call.end())
    call.on('data', (request: streams.BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? ''
      const one = pending.get(id) ?? { options: request.getOptions(), events: [] }
      pending.set(id, one)
      one.events.push(...request.getProposedMessagesList().map(proposedEvent))
      if (!request.getIsFinal()) return
      pending.delete(id)
      turn = answerInTurn(turn, one, request.getCorrelationId())
    })

    async function answerInTurn(before: Promise<void>, one: Pending, id: shared.UUID | undefined): Promise<void> {
      await before
      const response = await batchAnswer(node, one)
      if (!response) return
      response.setCorrelationId(id)
      call.write(response)
    }
  }
}

async function batchAnswer(
  node: NodeState,
  { options, events }: Pending,
): Promise<streams.BatchAppendResp | undefined> {
  const stream = nameOf(options?.getStreamIdentifier())
  const response = new streamsPb.BatchAppendResp()
  response.setStreamIdentifier(identifierOf(stream))
  if (node.faults.denied) {
    response.setError(statusOf(codePb.Code.PERMISSION_DENIED, new sharedPb.AccessDenied(), 'AccessDenied'))
    return response
  }
  const result = await appendWithFaults(node, stream, batchExpected(options), events)
  if (!result) return undefined
  switch (result.kind) {
    case 'appended':
      response.setSuccess(batchSuccess(result))
      return response
    case 'wrong-version': {
      response.setError(statusOf(codePb.Code.ALREADY_EXISTS, batchWrongVersion(result), 'WrongExpectedVersion'))
      return response
    }
    case 'deleted': {
      const deleted = new sharedPb.StreamDeleted()
      deleted.setStreamIdentifier(identifierOf(stream))
      response.setError(statusOf(codePb.Code.NOT_FOUND, deleted, 'StreamDeleted'))
      return response
    }
    case 'too-large': {
      const exceeded = new sharedPb.MaximumAppendSizeExceeded()
      exceeded.setMaxappendsize(result.limit)
      response.setError(statusOf(codePb.Code.INVALID_ARGUMENT, exceeded, 'MaximumAppendSizeExceeded'))
      return response
    }
    default:
      return result satisfies never
  }
}

function batchExpected(options: streams.BatchAppendReq.Options | undefined): Expected {
  if (options?.hasNoStream() === true) return 'no-stream'
  if (options?.hasStreamExists() === true) return 'stream-exists'
  return options?.hasStreamPosition() === true ? Number(options.getStreamPosition()) : 'any'
}

function batchSuccess({
  revision,
  position,
}: Extract<AppendResult, { kind: 'appended' }>): streams.BatchAppendResp.Success {
  const success = new streamsPb.BatchAppendResp.Success()
  if (revision === undefined) success.setNoStream(new emptyPb.Empty())
  else success.setCurrentRevision(String(revision))
  if (position === undefined) success.setNoPosition(new emptyPb.Empty())
  else {
    const at = new sharedPb.AllStreamPosition()
    at.setCommitPosition(String(position))
    at.setPreparePosition(String(position))
    success.setPosition(at)
  }
  return success
}

function batchWrongVersion({ expected, current }: Extract<AppendResult, { kind: 'wrong-version' }>): {
  serializeBinary(): Uint8Array
} {
  const wrong = new sharedPb.WrongExpectedVersion()
  if (current === undefined) wrong.setCurrentNoStream(new emptyPb.Empty())
  else wrong.setCurrentStreamRevision(String(current))
  if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected))
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new emptyPb.Empty())
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new emptyPb.Empty())
  else wrong.setExpectedAny(new emptyPb.Empty())
  return wrong
}

function statusOf(code: code.Code, detail: { serializeBinary(): Uint8Array }, name: string): status.Status {
  const packed = new anyPb.Any()
  packed.pack(detail.serializeBinary(), `event_store.client.${name}`)
  const told = new statusPb.Status()
  told.setCode(code)
  told.setMessage(name)
  told.setDetails(packed)
  return told
}
