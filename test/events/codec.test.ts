import { fc, test } from '@fast-check/vitest'
import {
  decodeEvent,
  encodeEvent,
  eventJsonSchemas,
  eventSchemas,
  isKnown,
  upcast,
  type Envelope,
  type SessionEvent,
} from '@refold/events'
import { describe, expect } from 'vitest'

const envelope: Envelope = {
  id: '0'.repeat(32),
  stream: 'session-default.s',
  revision: 0,
  position: 1,
  recordedAt: 0,
  actor: { kind: 'person', id: 'p' },
  version: 1,
  hash: '0'.repeat(64),
}

const saying = (words: string): SessionEvent => ({
  type: 'MessageAppended',
  data: { id: 'm', role: 'user', parts: [{ type: 'text', text: words }], provenance: 'person', shownTo: 'both' },
})

describe('codec', () => {
  test.prop([
    fc
      .string({ unit: 'binary' })
      .chain((text) => fc.constantFrom(text, `\u0000${text}`, `${text}\ud800`, `\u2028${text}`)),
  ])('any text comes back as it went in: NUL, lone surrogates and line separators too (invariant 2)', (words) => {
    const { type, payload } = encodeEvent(saying(words))
    const utf8 = Buffer.from(payload, 'utf8').toString('utf8')
    expect(utf8).toBe(payload)
    expect(decodeEvent(envelope, type, utf8)).toMatchObject(saying(words))
  })

  test('the order in which a caller wrote the fields makes no difference to the bytes', () => {
    const one = encodeEvent({ type: 'Ended', data: { reason: 'done', class: 'deliberate' } })
    const other = encodeEvent({ type: 'Ended', data: { class: 'deliberate', reason: 'done' } })
    expect(one.payload).toBe(other.payload)
  })

  test('data that does not fit is refused with the field that is wrong', () => {
    const bad = JSON.parse('{"type":"Ended","data":{"reason":"done","class":"bored"}}')
    expect(() => encodeEvent(bad)).toThrow(/Ended.*class/)
    expect(() => encodeEvent(JSON.parse('{"type":"Exploded","data":{}}'))).toThrow(/unknown type/)
  })

  test('a field that no schema knows is refused, not dropped', () => {
    const bad = JSON.parse('{"type":"Renamed","data":{"title":"x","by":"person","colour":"red"}}')
    expect(() => encodeEvent(bad)).toThrow(/colour/)
  })

  test('an unknown type, and a version from the future, are carried along as they are', () => {
    const foreign = decodeEvent(envelope, 'Levitated', '{"height":3}')
    expect(foreign).toEqual({ ...envelope, type: 'Levitated', data: { height: 3 }, unknown: true })
    expect(isKnown(foreign)).toBe(false)
    expect(isKnown(decodeEvent({ ...envelope, version: 2 }, 'Ended', '{"why":"?"}'))).toBe(false)
  })

  test('a purged payload is an erased event of the same type', () => {
    expect(decodeEvent(envelope, 'Renamed', null)).toEqual({ ...envelope, type: 'Renamed', data: null, erased: true })
  })
})

describe('upcasters', () => {
  const steps = { Ended: [() => ({ step: 1 }), (data: unknown) => ({ step: 2, from: JSON.stringify(data) })] }

  test('old data goes through one pure step a version', () => {
    expect(upcast('Ended', 1, { why: 'x' }, steps)).toEqual({ step: 2, from: '{"step":1}' })
    expect(upcast('Ended', 2, { step: 1 }, steps)).toEqual({ step: 2, from: '{"step":1}' })
    expect(upcast('Ended', 3, { as: 'is' }, steps)).toEqual({ as: 'is' })
  })

  test('a newer version, version 0 and an unknown type are not guessed at', () => {
    expect(upcast('Ended', 4, {}, steps)).toBeUndefined()
    expect(upcast('Ended', 0, {}, steps)).toBeUndefined()
    expect(upcast('Levitated', 1, {}, steps)).toBeUndefined()
  })
})

describe('JSON Schema', () => {
  test('every event type has one', () => {
    expect(Object.keys(eventJsonSchemas()).sort()).toEqual(Object.keys(eventSchemas).sort())
    expect(eventJsonSchemas()['Renamed']).toMatchObject({ type: 'object', required: ['title', 'by'], title: 'Renamed' })
  })
})
