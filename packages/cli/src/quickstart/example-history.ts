import type { Engine, Outcome, SessionHandle } from '@refold/engine'
import {
  branchTalk,
  delegateTalk,
  finding,
  firstTalk,
  notesTalk,
  secondTalk,
  started,
  thirdTalk,
} from './example-talk.ts'

/** Made last: where it is there, the example is whole. */
const last = 'example-release-notes'
const main = 'example-scanner'
const branched = 'example-scanner-interrupt'

/** Its sessions that the plain list shows. */
export const exampleSessions: readonly string[] = [main, branched, last]

/**
 * A small history in which everything happens that an agent's session can meet: a title, a delegate, a compaction, a
 * rotation, a branch. Made through the engine like any other; each step has a key, so that one that was interrupted is
 * finished by the next run, and a whole one is left alone. Where a store holds something else, nothing is made.
 *
 * True when the store holds the example now.
 */
export async function makeExample(engine: Engine): Promise<boolean> {
  const made = await engine.session(last)
  if (made.ok) return true
  if (made.code === 'session-deleted') return false
  const begun = await engine.session(main)
  const list = await engine.list({ all: true, archived: true, limit: 1 })
  if ('ok' in list || (list.total > 0 && !begun.ok)) return false
  const { handle } = taken(
    await engine.start({
      id: main,
      key: 'example',
      surface: 'cli',
      model: 'example-model',
      titleBy: 'model',
      title: 'Sensor trouble',
    }),
  )
  taken(await handle.append(firstTalk, { key: 'example-first-talk' }))
  taken(await handle.rename('Fingerprint scanner', { key: 'example-rename' }))
  await delegateWork(handle)
  const { revision } = taken(await handle.append(secondTalk, { key: 'example-second-talk' }))
  await compactUpTo(handle, revision)
  taken(await handle.rotate({ segment: 'example-scanner-2', key: 'example-rotate' }))
  taken(await handle.append(thirdTalk, { key: 'example-third-talk' }))
  await branchOff(handle)
  const notes = taken(await engine.start({ id: last, key: 'example', surface: 'cli', title: 'Release notes' })).handle
  taken(await notes.append(notesTalk, { key: 'example-notes' }))
  return true
}

async function delegateWork(parent: SessionHandle): Promise<void> {
  const task = 'Find the reset timing in the data sheet'
  const { session, handle } = taken(
    await parent.spawn({ id: 'example-data-sheet', task, toolCallId: 'call_2', key: 'example-spawn' }),
  )
  taken(await parent.append(started, { key: 'example-started' }))
  taken(await handle.append(delegateTalk, { key: 'example-delegate-talk' }))
  taken(await parent.report({ delegate: session, outcome: 'done', message: finding, key: 'example-report' }))
}

async function compactUpTo(handle: SessionHandle, revision: number): Promise<void> {
  const held = await handle.context({ at: revision })
  if ('ok' in held) throw new Error(held.message)
  const summary = 'The scanner failed because its reset line was released 2 ms too early. The driver now waits 10 ms.'
  const through = { base: revision, watermark: revision, held: held.digest }
  taken(await handle.compact({ ...through, summary, key: 'example-compact' }))
}

async function branchOff(origin: SessionHandle): Promise<void> {
  const { handle } = taken(await origin.branch({ from: 's4', id: branched, key: 'example-branch' }))
  taken(await handle.append(branchTalk, { key: 'example-branch-talk' }))
}

/** The example's own commands are never refused in a store that is whole. */
function taken<T extends object>(outcome: Outcome<T>): Extract<Outcome<T>, { readonly ok: true }> {
  if (!outcome.ok) throw new Error(`The example could not be made: ${outcome.message}`)
  return outcome
}
