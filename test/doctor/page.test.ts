import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findingKinds } from '@refold/engine'

const page = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8')

test('the page lists every code with its severity and what mends it, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (damage|notice) +\| ([^|]*?) *\|/gm)]
  const listed = rows.map(([, code = '', severity = '', mends = '']) => [code, severity, mends !== '–'])
  const known = Object.entries(findingKinds).map(([code, { severity, remedy }]) => [code, severity, remedy !== null])
  expect(listed).toEqual(known)
})

test('each code has a test that brings it about', () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => /^(log|rows)\.test\.ts$/.test(name))
    .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
    .join('\n')
  expect(Object.keys(findingKinds).filter((code) => !tests.includes(`'${code}'`))).toEqual([])
})
