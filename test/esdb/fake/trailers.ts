import { Metadata, status, type ServiceError } from '@grpc/grpc-js'
import type { Expected } from './kept-event.ts'
import type { Faults } from './faults.ts'

type Refused = Pick<ServiceError, 'name' | 'message' | 'code' | 'details' | 'metadata'>

/** An error as a node sends it: a code, and in the trailers which exception it was. */
function refused(code: status, exception: string, fields: { readonly [name: string]: string } = {}): Refused {
  const metadata = new Metadata()
  metadata.set('exception', exception)
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value)
  return { name: exception, message: exception, code, details: exception, metadata }
}

export function wrongVersion(stream: string, expected: Expected, current: number | undefined): Refused {
  const special = { any: -2, 'no-stream': -1, 'stream-exists': -4 }
  return refused(status.FAILED_PRECONDITION, 'wrong-expected-version', {
    'stream-name': stream,
    'expected-version': String(typeof expected === 'number' ? expected : special[expected]),
    'actual-version': String(current ?? -1),
  })
}

export function streamDeleted(stream: string): Refused {
  return refused(status.FAILED_PRECONDITION, 'stream-deleted', { 'stream-name': stream })
}

export function tooLarge(limit: number): Refused {
  return refused(status.INVALID_ARGUMENT, 'maximum-append-size-exceeded', { 'maximum-append-size': String(limit) })
}

/** What a node answers instead of doing what was asked. */
export function refusalOf({ denied, leader }: Faults, needsLeader: boolean): Refused | undefined {
  if (denied) return refused(status.PERMISSION_DENIED, 'access-denied')
  if (!leader || !needsLeader) return undefined
  return refused(status.NOT_FOUND, 'not-leader', {
    'leader-endpoint-host': leader.host,
    'leader-endpoint-port': String(leader.port),
  })
}
