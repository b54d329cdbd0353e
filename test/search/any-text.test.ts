import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { findMatches, indexForm, parseQuery, snippetOf, wordsOf } from '@refold/projections'
import { openEngine, taken } from '@refold/engine'
import { openMemoryStore } from '../../packages/engine/src/stores/memory-store.ts'
import { testSource } from '../support/test-source.ts'
import { hitsOf } from './found.ts'

/** What is syntax somewhere, breaks into half, or stands for something else. */
const odd = [
  ...Array.from(`aB "-*():^+{},';%_\\日é½ﬁİΣς가กิ`),
  'OR',
  'NOT',
  '\0',
  '\ud800',
  'e\u0301',
  '👍🏽',
  '\ufeff',
  '\u2028',
  'ｶﾞ',
]

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    maxLength: 30,
    unit: fc.constantFrom(...odd),
  }),
)

/** Letters and digits, of which something is left without accents. */
const isWord = (chunk: string): boolean => /[\p{L}\p{N}]/u.test(chunk) && /[\p{L}\p{N}]/u.test(chunk.normalize('NFKD'))

test.prop([fc.array(anything, { maxLength: 6 }), anything], { seed: 61, numRuns: 80 })(
  'any text is a query, and every word of a message finds it (seed 61)',
  async (texts, query) => {
    const source = testSource()
    const engine = await openEngine({ store: openMemoryStore(source), source })
    const { handle } = taken(await engine.start({ id: 's' }))
    for (const [n, text] of texts.entries()) taken(await handle.append({ id: `m${n}`, role: 'user', text }))
    taken(await engine.search(query))
    for (const [n, text] of texts.entries())
      for (const chunk of text.toWellFormed().split(/\s+/u).filter(isWord)) {
        const hits = await hitsOf(engine, `"${chunk.replaceAll('"', ' ')}"`)
        expect({ chunk, found: hits.map(({ message }) => message) }).toMatchObject({
          chunk,
          found: expect.arrayContaining([`m${n}`]),
        })
        expect(hits.find(({ message }) => message === `m${n}`)?.snippet.marks.length).toBeGreaterThan(0)
      }
    await engine.close()
  },
)

test.prop([anything], { seed: 62, numRuns: 1_000 })(
  'the index sees the same words as the search for matches (seed 62)',
  (said) => {
    const text = said.normalize('NFC')
    const indexed = indexForm(text)
      .split(/[^0-9A-Za-z\u0080-\u{10ffff}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
    expect(indexed).toEqual([...wordsOf(text)].map(({ word }) => word))
  },
)

test.prop([fc.array(anything), anything], { seed: 63, numRuns: 500 })(
  'a snippet is one line, its marks lie in order within it, and nothing in it steers a terminal (seed 63)',
  (pieces, query) => {
    const text = pieces.join(' ').normalize('NFC')
    const { text: snippet, marks } = snippetOf(text, findMatches(text, parseQuery(query)).ranges)
    expect(snippet).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
    expect(snippet.isWellFormed()).toBe(true)
    expect(snippet.length).toBeLessThan(400)
    let at = 0
    for (const { from, to } of marks) {
      expect(from).toBeGreaterThanOrEqual(at)
      expect(to).toBeGreaterThanOrEqual(from)
      at = to
    }
    expect(at).toBeLessThanOrEqual(snippet.length)
  },
)
