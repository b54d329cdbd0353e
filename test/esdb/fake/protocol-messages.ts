import { createRequire } from 'node:module'
import type * as any from 'google-protobuf/google/protobuf/any_pb.js'
import type * as protobufEmpty from 'google-protobuf/google/protobuf/empty_pb.js'
import type * as code from '@eventstore/db-client/generated/code_pb.js'
import type * as gossip from '@eventstore/db-client/generated/gossip_pb.js'
import type * as features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type * as shared from '@eventstore/db-client/generated/shared_pb.js'
import type * as status from '@eventstore/db-client/generated/status_pb.js'
import type * as streams from '@eventstore/db-client/generated/streams_pb.js'

/*
 * The message classes of the client's own package. Its message modules have only a default export for ECMAScript modules
 * at run time, whatever their declarations say: they are required instead.
 */

const load = createRequire(import.meta.url)
const generated = '@eventstore/db-client/generated'

/* oxlint-disable typescript/no-unsafe-type-assertion -- each is the module that its declarations describe */
export const streamsPb = load(`${generated}/streams_pb.js`) as typeof streams
export const sharedPb = load(`${generated}/shared_pb.js`) as typeof shared
export const codePb = load(`${generated}/code_pb.js`) as typeof code
export const statusPb = load(`${generated}/status_pb.js`) as typeof status
export const featuresPb = load(`${generated}/serverfeatures_pb.js`) as typeof features
export const gossipPb = load(`${generated}/gossip_pb.js`) as typeof gossip
export const anyPb = load('google-protobuf/google/protobuf/any_pb.js') as typeof any
export const emptyPb = load('google-protobuf/google/protobuf/empty_pb.js') as typeof protobufEmpty
/* oxlint-enable typescript/no-unsafe-type-assertion */
