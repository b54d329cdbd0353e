import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server as Proxy, type Socket } from 'node:net'
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type * as features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type * as gossip from '@eventstore/db-client/generated/gossip_pb.js'
import { appendCall, batchAppendCall } from './append-calls.ts'
import { deleteCall, tombstoneCall } from './delete-calls.ts'
import { noFaults, type Faults } from './faults.ts'
import { KeptLog } from './kept-log.ts'
import { uuidOf } from './messages.ts'
import type { NodeState } from './node-state.ts'
import { readCall } from './read-call.ts'
import { featuresPb, gossipPb } from './protocol-messages.ts'

export interface FakeNodeOptions {
  /** Offers the shared call for many appends, as nodes since 21.10 do. Absent: true. */
  readonly batchAppend?: boolean
  /** Most bytes of one append. Absent: 1 MiB, as a node's. */
  readonly appendLimit?: number
  /** A log that another node leads, too. Absent: its own. */
  readonly log?: KeptLog
}

/**
 * An EventStoreDB node in memory that the unmodified client talks to over gRPC on loopback. In front of it stands a relay
 * whose connections can be cut as a network cuts them.
 */
export class FakeNode {
  readonly log: KeptLog
  readonly faults: Faults = noFaults()
  readonly #server = new Server()
  readonly #relay: Proxy
  readonly #sockets = new Set<Socket>()
  #inner = 0
  #port = 0

  private constructor({ batchAppend = true, appendLimit = 1024 * 1024, log }: FakeNodeOptions) {
    this.log = log ?? new KeptLog(appendLimit)
    const state: NodeState = { log: this.log, faults: this.faults, cut: () => this.cut() }
    this.#server.addService(StreamsService, {
      read: readCall(state),
      append: appendCall(state),
      batchAppend: batchAppendCall(state),
      delete: deleteCall(state),
      tombstone: tombstoneCall(state),
    })
    this.#server.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
        answer(null, supportedMethods(batchAppend)),
    })
    this.#server.addService(GossipService, {
      read: (_: ServerUnaryCall<unknown, gossip.ClusterInfo>, answer: sendUnaryData<gossip.ClusterInfo>) =>
        answer(null, clusterOf(this.#port)),
    })
    this.#relay = createServer((client) => this.#pipe(client))
  }

  static async start(options: FakeNodeOptions = {}): Promise<FakeNode> {
    const node = new FakeNode(options)
    node.#inner = await new Promise((resolve, reject) => {
      node.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (problem, port) =>
        problem ? reject(problem) : resolve(port),
      )
    })
    await node.listen()
    return node
  }

  get port(): number {
    return this.#port
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`
  }

  /** Cuts every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Is gone for all clients until `listen`; what it keeps stays. */
  async goAway(): Promise<void> {
    const closed = once(this.#relay, 'close')
    this.#relay.close()
    this.cut()
    await closed
  }

  /** Takes connections, after `goAway` at the same port. */
  async listen(): Promise<void> {
    this.#relay.listen(this.#port, '127.0.0.1')
    await once(this.#relay, 'listening')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server's address is this
    this.#port = (this.#relay.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    if (this.#relay.listening) await this.goAway()
    this.#server.forceShutdown()
  }

  #pipe(client: Socket): void {
    const server = connect(this.#inner, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
}

const OFFERED = [
  { service: 'event_store.client.streams.streams', method: 'read', features: ['position', 'events'] },
  { service: 'event_store.client.streams.streams', method: 'append', features: [] },
  { service: 'event_store.client.streams.streams', method: 'delete', features: [] },
  { service: 'event_store.client.streams.streams', method: 'tombstone', features: [] },
  { service: 'event_store.client.streams.streams', method: 'batchappend', features: ['deadline_duration'] },
] as const

function supportedMethods(batchAppend: boolean): features.SupportedMethods {
  const answer = new featuresPb.SupportedMethods()
  answer.setEventStoreServerVersion('23.10.0')
  const offered = OFFERED.filter(({ method }) => batchAppend || method !== 'batchappend')
  answer.setMethodsList(
    offered.map(({ service, method, features: can }) => {
      const supported = new featuresPb.SupportedMethod()
      supported.setServiceName(service)
      supported.setMethodName(method)
      supported.setFeaturesList([...can])
      return supported
    }),
  )
  return answer
}

/** This node, alone and leading, at the port by which clients know it. */
function clusterOf(port: number): gossip.ClusterInfo {
  const endPoint = new gossipPb.EndPoint()
  endPoint.setAddress('127.0.0.1')
  endPoint.setPort(port)
  const member = new gossipPb.MemberInfo()
  member.setInstanceId(uuidOf('4f8a0e6e-7f6e-4c0e-9a57-0d3b3a0f7a11'))
  member.setTimeStamp(String(Date.now()))
  member.setState(gossipPb.MemberInfo.VNodeState.LEADER)
  member.setIsAlive(true)
  member.setHttpEndPoint(endPoint)
  const cluster = new gossipPb.ClusterInfo()
  cluster.setMembersList([member])
  return cluster
}
