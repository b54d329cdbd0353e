import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import type * as streams from '@eventstore/db-client/generated/streams_pb.js'
import type { AppendResult, Expected } from './kept-event.ts'
import { nameOf } from './messages.ts'
import type { NodeState } from './node-state.ts'
import { sharedPb, streamsPb } from './protocol-messages.ts'
import { refusalOf, streamDeleted, tooLarge, wrongVersion } from './trailers.ts'

type Options = streams.DeleteReq.Options | streams.TombstoneReq.Options

export function deleteCall(
  node: NodeState,
): (call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>, answer: sendUnaryData<streams.DeleteResp>) => void {
  return (call, answer) => {
    const done = deleted(node, call.request.getOptions(), false)
    if ('error' in done) return answer(done.error)
    const position = new streamsPb.DeleteResp.Position()
    position.setCommitPosition(String(done.position))
    position.setPreparePosition(String(done.position))
    const response = new streamsPb.DeleteResp()
    response.setPosition(position)
    answer(null, response)
  }
}

export function tombstoneCall(
  node: NodeState,
): (
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  answer: sendUnaryData<streams.TombstoneResp>,
) => void {
  return (call, answer) => {
    const done = deleted(node, call.request.getOptions(), true)
    if ('error' in done) return answer(done.error)
    const response = new streamsPb.TombstoneResp()
    response.setNoPosition(new sharedPb.Empty())
    answer(null, response)
  }
}

function deleted(
  { log, faults }: NodeState,
  options: Options | undefined,
  isFinal: boolean,
): { readonly error: NonNullable<ReturnType<typeof refusalOf>> } | { readonly position: number } {
  const refusal = refusalOf(faults, true)
  if (refusal) return { error: refusal }
  const stream = nameOf(options?.getStreamIdentifier())
  const result: AppendResult = log.delete(stream, expectedOf(options), isFinal)
  switch (result.kind) {
    case 'appended':
      return { position: result.position ?? 0 }
    case 'wrong-version':
      return { error: wrongVersion(stream, result.expected, result.current) }
    case 'deleted':
      return { error: streamDeleted(stream) }
    case 'too-large':
      return { error: tooLarge(result.limit) }
    default:
      return result satisfies never
  }
}

function expectedOf(options: Options | undefined): Expected {
  if (options?.hasNoStream() === true) return 'no-stream'
  if (options?.hasStreamExists() === true) return 'stream-exists'
  return options?.hasRevision() === true ? Number(options.getRevision()) : 'any'
}
