import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandTable, type Command, type CommandGroup } from '../../packages/cli/src/index.ts'
import { call } from './call.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const isGroup = (loaded: Command | CommandGroup): loaded is CommandGroup => 'members' in loaded

async function commands(): Promise<readonly (readonly [string, Command])[]> {
  const found: [string, Command][] = []
  for (const { name, load } of commandTable.flatMap(({ entries }) => entries)) {
    const { default: loaded } = await load()
    if (!isGroup(loaded)) found.push([name, loaded])
    else {
      if (loaded.own) found.push([name, loaded.own])
      for (const [below, { command }] of Object.entries(loaded.members)) found.push([`${name} ${below}`, command])
    }
  }
  return found
}

/** The part of the page about one command: its heading and the text below it. */
function sectionOf(name: string): string {
  const sections = page.split(/^(?=##)/m)
  const own = sections.find((section) =>
    headedBy(section).some((heading) => heading.startsWith(`${name} `) || heading === name),
  )
  if (own === undefined) throw new Error(`docs/cli.md has no heading for ${name}`)
  return own
}

/** `### tag, untag SESSION` heads both. */
function headedBy(section: string): readonly string[] {
  const heading = /^### (.*)/.exec(section)?.[1] ?? ''
  const [names = ''] = heading.split(/ (?=[A-Z[-])/)
  return names.split(', ').map((name) => heading.replace(names, name))
}

test('the page on the command line has every command with each of its options and operands', async () => {
  const missing: string[] = []
  for (const [name, command] of await commands()) {
    const section = sectionOf(name)
    for (const option of Object.keys(command.options)) {
      if (!section.includes(`--${kebab(option)}`)) missing.push(`${name} --${kebab(option)}`)
    }
    for (const { name: operand } of Object.values(command.operands)) {
      if (!section.includes(operand)) missing.push(`${name} ${operand}`)
    }
  }
  expect(missing).toEqual([])
})

test('the page names no option that does not exist', async () => {
  const known = new Set(['db', 'namespace', 'json', 'help', 'version', 'silent', 'title'])
  for (const [, command] of await commands())
    for (const option of Object.keys(command.options)) known.add(kebab(option))
  const named = [...page.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = '']) => option)
  expect(named.filter((option) => !known.has(option))).toEqual([])
})

test('every command explains itself with examples that begin as one types them', async () => {
  for (const [name, command] of await commands()) {
    const { exit, output } = await call([...name.split(' '), '--help'])
    expect([name, exit]).toEqual([name, 0])
    expect(output).toContain(`Usage: refold ${name}`)
    for (const example of command.examples) expect(output).toContain(example)
    expect(command.examples.length, name).toBeGreaterThan(0)
  }
})

test('help lists every command', async () => {
  const { exit, output } = await call(['--help'])
  expect(exit).toBe(0)
  for (const { name, summary } of commandTable.flatMap(({ entries }) => entries))
    expect(output).toContain(`${name} `.trim() && summary)
  expect((await call(['help', 'compact'])).output).toContain('--summary-file')
  expect((await call(['help'])).output).toBe(output)
})
