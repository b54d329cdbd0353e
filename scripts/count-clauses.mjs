// Holds the replayed scenarios against the catalogue: each clause of *Expected* must be asserted under its own words.
//
//   node scripts/count-clauses.mjs            says what is lacking; status 1 where anything is, 2 where the catalogue is not there
//   node scripts/count-clauses.mjs B001 B002  prints those scenarios' clauses, ready to be filled in
//
// How *Expected* is split: at semicolons and at ends of sentences, outside parentheses and quotation marks. A sentence
// that stands wholly in parentheses comments on the one before it and is no clause. Where this splits badly, `exceptions` has the
// clauses instead, with the reason.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const catalogueFile = new URL('../../shared/cases/bug-scenarios.md', import.meta.url)
const testsFolder = new URL('../test/scenarios/', import.meta.url)

/** Scenario to its clauses, and why the plain rule would not do. */
const exceptions = {
  B074: {
    because: 'the policy in parentheses is a promise of its own',
    clauses: [
      "U1 is marked 'failed/unanswered' with its own time and is not presented as part of U2's request",
      'transcript shows U1 as failed',
      'resend only on explicit retry',
    ],
  },
}

/** Ids to the clauses of their *Expected*. */
function clausesOf(catalogue) {
  const found = new Map()
  for (const block of catalogue.split(/^#### /mu).slice(1)) {
    const id = /^B\d+/u.exec(block)?.[0]
    const expected = /^- Expected: ([\s\S]*?)(?=\n\s*\n|\n###|(?![\s\S]))/mu.exec(block)?.[1]
    if (id && expected) found.set(id, exceptions[id]?.clauses ?? split(expected.replace(/\s+/gu, ' ').trim()))
  }
  return found
}

function split(expected) {
  const clauses = []
  let clause = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < expected.length; at += 1) {
    const sign = expected[at]
    const before = expected[at - 1] ?? ' '
    const after = expected[at + 1] ?? ' '
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    // An apostrophe inside a word is none.
    if (sign === "'" && (quoted ? !/\w/u.test(after) : /[\s(]/u.test(before) && /\S/u.test(after))) quoted = !quoted
    const isEnd = sign === '.' && after === ' ' && (at + 2 >= expected.length || /[A-Z0-9(']/u.test(expected[at + 2]))
    if (depth === 0 && !quoted && (sign === ';' || isEnd)) {
      clauses.push(clause)
      clause = ''
    } else clause += sign
  }
  return [...clauses, clause]
    .map((one) => one.trim().replace(/\.$/u, ''))
    .filter((one) => one && !/^\(.*\)$/u.test(one))
}

/** What the tests do with each id: clauses asserted, clauses that wait, and whether it is replayed or waits as a whole. */
function replayedIn(sources) {
  const marks = new Map()
  for (const source of sources) {
    const starts = [...source.matchAll(/\b(scenario|waiting)\(\s*'(B\d+)'/gu)]
    for (const [place, { 1: kind, 2: id, index }] of starts.entries()) {
      const text = source.slice(index, starts[place + 1]?.index)
      const mark = marks.get(id) ?? { scenario: false, waiting: false, clauses: new Set() }
      marks.set(id, mark)
      mark[kind] = true
      const heard =
        kind === 'scenario'
          ? text.matchAll(new RegExp(`\\bclause\\(\\s*${literal}`, 'gu'))
          : text.matchAll(new RegExp(`^waiting\\(\\s*'B\\d+',\\s*'[a-z]+',\\s*${literal}`, 'gu'))
      for (const { 1: words } of heard) mark.clauses.add(plain(words.slice(1, -1).replace(/\\(.)/gu, '$1')))
    }
  }
  return marks
}

const literal = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\$]|\\.)*\x60)`

/** Words without the accidents of writing. */
const plain = (text) =>
  text.replace(/\\u/gu, 'u').replace(/[\\`]/gu, '').replace(/\s+/gu, ' ').replace(/\.$/u, '').trim()

/** One line for each clause or scenario that nothing asserts, and for each id that is in no catalogue. */
function lackingIn(catalogue, marks) {
  const lines = []
  for (const [id, clauses] of catalogue) {
    const mark = marks.get(id)
    if (!mark) lines.push(`${id}: neither replayed nor waiting`)
    else if (mark.scenario)
      for (const clause of clauses)
        if (!mark.clauses.has(plain(clause))) lines.push(`${id}: nothing asserts “${clause}”`)
  }
  for (const id of marks.keys()) if (!catalogue.has(id)) lines.push(`${id}: not in the catalogue`)
  return lines
}

if (!existsSync(catalogueFile)) {
  console.log('The catalogue is not beside this checkout; nothing was compared.')
  process.exit(2)
}
const catalogue = clausesOf(readFileSync(catalogueFile, 'utf8'))
const wanted = process.argv.slice(2)
if (wanted.length > 0) {
  for (const id of wanted) {
    for (const clause of catalogue.get(id) ?? []) {
      const quote = clause.includes("'") ? '"' : "'"
      const words = clause.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
      console.log(`  await world.clause(${quote}${words}${quote}, async () => {`)
    }
  }
} else {
  const tests = readdirSync(testsFolder).filter((name) => name.endsWith('.test.ts'))
  const marks = replayedIn(tests.map((name) => readFileSync(new URL(name, testsFolder), 'utf8')))
  const lacking = lackingIn(catalogue, marks)
  for (const line of lacking) console.log(line)
  const replayed = [...marks.values()].filter(({ scenario }) => scenario).length
  const clauses = [...catalogue.values()].flat().length
  console.log(`${catalogue.size} scenarios with ${clauses} clauses; ${replayed} replayed, ${lacking.length} lacking`)
  process.exitCode = lacking.length > 0 ? 1 : 0
}
