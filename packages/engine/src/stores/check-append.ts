import { RefoldError, type Append, type ExpectedRevision, type NewEvent, type RawEvent } from '@refold/events'

const EVENT_ID = /^[0-9a-f]{32}$/
const BLOB_HASH = /^[0-9a-f]{64}$/

/** Throws `append-malformed` for what no store could keep or give back as it is. */
export function checkAppend(append: Append): void {
  const named = new Set<string>()
  for (const { stream, expected, events } of append.streams) {
    check(stream, stream !== '' && stream.isWellFormed(), 'a stream name is well-formed text of at least one character')
    check(stream, !named.has(stream), 'a stream is named once in an append')
    check(stream, isExpectation(expected), 'the expected revision is a whole number from 0')
    named.add(stream)
    for (const event of events) checkEvent(stream, event)
  }
  for (const { hash } of append.blobs ?? []) {
    check(hash, BLOB_HASH.test(hash), 'the hash of a blob has 64 lowercase hex digits')
  }
}

/** The same for an event that another log recorded. */
export function checkRecorded(event: RawEvent): void {
  const { stream, hash, digest, salt, payload } = event
  check(stream, stream !== '' && stream.isWellFormed(), 'a stream name is well-formed text of at least one character')
  const { salt: _salt, ...said } = event
  checkEvent(stream, { ...said, payload: payload ?? 'null', ...withSalt(salt) })
  check(stream, BLOB_HASH.test(hash), 'the hash of an event has 64 lowercase hex digits')
  check(stream, digest === null || BLOB_HASH.test(digest), 'a digest has 64 lowercase hex digits')
  check(stream, payload === null || isJson(payload), 'the payload is JSON')
}

const withSalt = (salt: string | null): Pick<NewEvent, 'salt'> => (salt === null ? {} : { salt })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function checkEvent(stream: string, event: NewEvent): void {
  check(stream, EVENT_ID.test(event.id), 'an event id has 32 lowercase hex digits')
  check(stream, Number.isSafeInteger(event.recordedAt), 'recordedAt is a whole number of milliseconds')
  check(stream, Number.isSafeInteger(event.version) && event.version > 0, 'the version is a whole number from 1')
  check(stream, event.type !== '' && event.type.isWellFormed(), 'the type is well-formed text')
  check(stream, event.actor.id !== '', 'an actor has an id')
  check(stream, event.payload.isWellFormed(), 'the payload is well-formed text')
  check(stream, event.correlationId?.isWellFormed() ?? true, 'the correlation id is well-formed text')
  check(stream, event.causationId?.isWellFormed() ?? true, 'the causation id is well-formed text')
  check(stream, event.salt === undefined || EVENT_ID.test(event.salt), 'a salt has 32 lowercase hex digits')
}

function isExpectation(expected: ExpectedRevision): boolean {
  return typeof expected === 'string' || (Number.isSafeInteger(expected) && expected >= 0)
}

function check(stream: string, holds: boolean, problem: string): void {
  if (!holds) throw new RefoldError('append-malformed', { stream, problem })
}
