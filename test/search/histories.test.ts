import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { openEngine, SearchIndex, taken, type Engine } from '@refold/engine'
import { openMemoryStore } from '../../packages/engine/src/stores/memory-store.ts'
import { testSource } from '../support/test-source.ts'
import { foundIn, seenIn, type Sought } from './naive-search.ts'

const vocabulary = ['apple', 'Birne', 'kiwi', '苹果', 'näpfe'] as const
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

const step = fc.record({
  what: fc.constantFrom(
    'append',
    'append',
    'grow',
    'edit',
    'rewind',
    'undo',
    'branch',
    'delete',
    'restore',
    'note',
    'look',
  ),
  session: fc.nat(5),
  message: fc.nat(9),
  text,
})

const sought: readonly Sought[] = [
  { query: 'apple', fits: (seen) => seen.includes('apple') },
  { query: 'birne kiwi', fits: (seen) => seen.includes('Birne') && seen.includes('kiwi') },
  { query: '果', fits: (seen) => seen.includes('果') },
  { query: '"apple 苹果"', fits: (seen) => seen.includes('apple 苹果') },
  { query: 'napfe -apple', fits: (seen) => seen.includes('näpfe') && !seen.includes('apple') },
  { query: 'ap* OR kiwi', fits: (seen) => seen.includes('apple') || seen.includes('kiwi') },
]

async function compare(engine: Engine, what: string, limit?: number): Promise<void> {
  for (const one of sought)
    expect({ what, query: one.query, found: await foundIn(engine, one, limit) }).toEqual({
      what,
      query: one.query,
      found: await seenIn(engine, one),
    })
}

test.prop([fc.array(step, { minLength: 5, maxLength: 40 })], { seed: 41, numRuns: 25 })(
  'a search finds what reading every transcript finds, along the way and with an index made anew (seed 41)',
  async (steps) => {
    const source = testSource()
    const store = openMemoryStore(source)
    const engine = await openEngine({ store, source })
    await engine.start({ id: 's0' })
    const ids = ['s0']
    const undos: string[] = []
    for (const [n, { what, session, message, text }] of steps.entries()) {
      const id = ids[session % ids.length] ?? 's0'
      const found = await engine.session(id)
      if (!found.ok) continue
      const { handle } = found
      // Many of these are refused, as in life; what counts is what is shown afterwards.
      if (what === 'append') await handle.append({ id: `m${message}`, role: 'user', text })
      else if (what === 'grow') await handle.append({ id: `g${message}`, role: 'assistant', text, partial: n })
      else if (what === 'edit') await handle.edit(`m${message}`, { text })
      else if (what === 'note') await handle.note({ kind: 'host', shownTo: 'person', text })
      else if (what === 'rewind') {
        const outcome = await handle.rewind({ to: `m${message}` })
        if (outcome.ok) undos.push(outcome.undoId)
      } else if (what === 'undo') await handle.undo(undos.at(-1))
      else if (what === 'branch') {
        const outcome = await handle.branch({ from: `m${message}`, id: `s${ids.length}` })
        if (outcome.ok) ids.push(outcome.session)
      } else if (what === 'delete') await engine.delete([id])
      else if (what === 'restore') await engine.restore(id)
      else await compare(engine, `after ${n} steps`, 1 + message)
    }
    await compare(engine, 'at the end')
    const search = new SearchIndex({ log: store, source, pageSize: 3 })
    const anew = await openEngine({ store, source, search })
    await compare(anew, 'anew', 2)
    await anew.close()
    await search.close()
    const kept = taken(await engine.search('apple'))
    await engine.close()
    expect(kept.cursor).toBe(null)
  },
)
