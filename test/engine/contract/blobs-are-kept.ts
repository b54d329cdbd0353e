import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Blob, EventStore } from '@refold/events'
import { freshStream, saying, to } from './made-events.ts'

function blobOf(bytes: Uint8Array): Blob {
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes }
}

export function blobsAreKept(store: () => EventStore): void {
  const read = async ({ hash }: Blob): Promise<number[] | undefined> => {
    const bytes = await store().blob(hash)
    return bytes && [...bytes]
  }

  describe('blobs', () => {
    test('a blob comes with its events and is read by its hash', async () => {
      const blob = blobOf(new Uint8Array(randomBytes(100_000)))
      await store().append({ ...to(freshStream(), 'no-stream', saying('refers to it')), blobs: [blob] })
      expect(await read(blob)).toEqual([...blob.bytes])
    })

    test('an empty blob is a blob', async () => {
      const blob = blobOf(new Uint8Array())
      await store().append({ ...to(freshStream(), 'no-stream', saying('x')), blobs: [blob] })
      expect(await read(blob)).toEqual([])
    })

    test('a blob that is there already is kept as it is', async () => {
      const blob = blobOf(new Uint8Array(randomBytes(10)))
      await store().append({ ...to(freshStream(), 'no-stream', saying('x')), blobs: [blob, blob] })
      await store().append({ ...to(freshStream(), 'no-stream', saying('y')), blobs: [blob] })
      expect(await read(blob)).toEqual([...blob.bytes])
    })

    test('a refused append leaves no blob', async () => {
      const blob = blobOf(new Uint8Array(randomBytes(10)))
      await store().append({ ...to(freshStream(), 'exists', saying('x')), blobs: [blob] })
      expect(await read(blob)).toBeUndefined()
    })

    test('a blob does not change with the bytes that it was made from', async () => {
      const bytes = new Uint8Array(randomBytes(10))
      const [blob, before] = [blobOf(bytes), [...bytes]]
      await store().append({ ...to(freshStream(), 'no-stream', saying('x')), blobs: [blob] })
      bytes.fill(0)
      expect(await read(blob)).toEqual(before)
      ;(await store().blob(blob.hash))?.fill(0)
      expect(await read(blob)).toEqual(before)
    })

    test('an unknown hash has no blob', async () => {
      expect(await store().blob('0'.repeat(64))).toBeUndefined()
    })
  })
}
