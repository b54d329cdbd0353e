import { randomUUID } from 'node:crypto'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type * as streams from '@eventstore/db-client/generated/streams_pb.js'
import { filterOf } from './filter.ts'
import type { KeptEvent } from './kept-event.ts'
import { caughtUp, checkpoint, confirmation, eventAnswer, nameOf, notFound } from './messages.ts'
import type { NodeState } from './node-state.ts'
import { streamsPb } from './protocol-messages.ts'
import { refusalOf, streamDeleted } from './trailers.ts'

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** Reads and subscriptions: one call of the protocol, told apart by its options. */
export function readCall(node: NodeState): (call: ReadCall) => void {
  return (call) => {
    call.on('error', () => undefined) // the client went away
    const options = call.request.getOptions() ?? new streamsPb.ReadReq.Options()
    const refusal = refusalOf(node.faults, false)
    if (refusal) return void call.emit('error', refusal)
    if (options.hasSubscription()) return subscribe(node, call, options)
    const name = nameOf(options.getStream()?.getStreamIdentifier())
    const kept = options.hasStream() ? node.log.stream(name) : node.log.events
    if (kept === 'deleted') return void call.emit('error', streamDeleted(name))
    if (!kept) call.write(notFound(name))
    for (const event of pageOf(kept ?? [], options)) call.write(eventAnswer(event))
    call.end()
  }
}

function pageOf(kept: readonly KeptEvent[], options: streams.ReadReq.Options): readonly KeptEvent[] {
  const filter = filterOf(options)
  const isBackwards = options.getReadDirection() === streamsPb.ReadReq.Options.ReadDirection.BACKWARDS
  const ordered = isBackwards ? kept.toReversed() : kept
  const inRange = ordered.filter((event) => isAsked(event, options, isBackwards) && filter?.passes(event) !== false)
  return inRange.slice(0, Number(options.getCount()))
}

function isAsked(event: KeptEvent, options: streams.ReadReq.Options, isBackwards: boolean): boolean {
  const stream = options.getStream()
  if (stream?.hasRevision() === true) {
    const from = Number(stream.getRevision())
    return isBackwards ? event.revision <= from : event.revision >= from
  }
  const all = options.getAll()
  if (stream?.hasEnd() === true || all?.hasEnd() === true) return isBackwards
  if (stream?.hasStart() === true || all?.hasStart() === true) return !isBackwards
  const from = Number(all?.getPosition()?.getCommitPosition() ?? 0)
  return isBackwards ? event.position < from : event.position >= from
}

/** History behind the start, then what is appended, until the client goes away. */
function subscribe(node: NodeState, call: ReadCall, options: streams.ReadReq.Options): void {
  const { log, faults, cut } = node
  const isAll = options.hasAll()
  const name = nameOf(options.getStream()?.getStreamIdentifier())
  const filter = isAll ? filterOf(options) : undefined
  let behind = startOf(log.events, options)
  let sent = 0
  let considered = 0
  call.write(confirmation(randomUUID()))
  tell()
  call.write(caughtUp())
  const stop = log.onAppend(tell)
  call.on('cancelled', stop)
  call.on('close', stop)

  function tell(): void {
    for (const event of log.events) {
      if (event.position <= behind) continue
      behind = event.position
      if (isAll ? filter?.passes(event) !== false : event.stream === name) {
        if (sent >= faults.cutSubscriptionAfter) return cut()
        sent += 1
        call.write(eventAnswer(event))
      }
      considered += 1
      if (filter && considered % filter.checkpointEvery === 0) call.write(checkpoint(event.position))
    }
  }
}

/** Position behind which a subscription begins. */
function startOf(events: readonly KeptEvent[], options: streams.ReadReq.Options): number {
  const [stream, all] = [options.getStream(), options.getAll()]
  const end = events.at(-1)?.position ?? 0
  if (stream?.hasEnd() === true || all?.hasEnd() === true) return end
  if (all) return all.hasPosition() ? Number(all.getPosition()?.getCommitPosition() ?? 0) : 0
  if (stream?.hasRevision() !== true) return 0
  const name = nameOf(stream.getStreamIdentifier())
  const from = Number(stream.getRevision())
  return events.findLast((event) => event.stream === name && event.revision <= from)?.position ?? 0
}
