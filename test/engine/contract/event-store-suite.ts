import { afterAll, beforeAll, describe } from 'vitest'
import type { EventStore } from '@refold/events'
import { blobsAreKept } from './blobs-are-kept.ts'
import { chainIsRight } from './chain-is-right.ts'
import { closingIsOrderly } from './closing-is-orderly.ts'
import { erasingTakesContentAlone } from './erasing-takes-content-alone.ts'
import { expectedRevisionsHold } from './expected-revisions-hold.ts'
import { followingMissesNothing } from './following-misses-nothing.ts'
import { malformedAppendsAreRefused } from './malformed-appends-are-refused.ts'
import { readingIsOrderly } from './reading-is-orderly.ts'
import { recordedElsewhere } from './recorded-elsewhere.ts'
import { repeatsAreKnown } from './repeats-are-known.ts'
import { textsSurvive } from './texts-survive.ts'
import { workIsAtomic } from './work-is-atomic.ts'

/** Opens a store of its own for the suite, or joins one that others write to. Called once and again for closing. */
export type OpenStore = () => Promise<EventStore>

/** Everything that the engine relies on in a store. One suite, whatever the store. */
export function eventStoreContract(name: string, open: OpenStore): void {
  describe(`the event store contract: ${name}`, () => {
    let opened: EventStore | undefined
    const store = (): EventStore => {
      if (opened === undefined) throw new Error('the store is opened before the tests')
      return opened
    }
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened?.close()
    })

    expectedRevisionsHold(store)
    repeatsAreKnown(store)
    malformedAppendsAreRefused(store)
    readingIsOrderly(store)
    followingMissesNothing(store)
    workIsAtomic(store)
    chainIsRight(store)
    textsSurvive(store)
    blobsAreKept(store)
    erasingTakesContentAlone(store)
    recordedElsewhere(store)
    closingIsOrderly(open)
  })
}
