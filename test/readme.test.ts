import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('the program in the README runs as it stands there, on the built packages', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const program = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(program).toContain('openEngine')
  const folder = await mkdtemp(join(tmpdir(), 'refold-readme-'))
  try {
    const inFolder = program.replace("'agent.db'", JSON.stringify(join(folder, 'agent.db')))
    const words = ['--input-type=module', '--eval', inFolder]
    const { stdout } = await run(process.execPath, words, { cwd: import.meta.dirname })
    expect(stdout).toBe('5 2 Sensor drift\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the README names scripts that exist', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  const named = Array.from(
    readme.matchAll(/npm (?:run (?:--silent )?([a-z:]+)|(start|test)\b)/g),
    ([, script, short]) => script ?? short,
  )
  for (const name of new Set(named)) expect(Object.keys(scripts)).toContain(name)
})
