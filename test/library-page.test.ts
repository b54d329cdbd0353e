import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('the pieces of docs/library.md make one program, and it prints what the page says, on the built packages', async () => {
  const page = await readFile(new URL('../docs/library.md', import.meta.url), 'utf8')
  const program = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, piece = '']) => piece).join('\n')
  const promised = Array.from(program.matchAll(/\/\/ → (.*)/g), ([, line = '']) => line)
  expect(promised.length).toBeGreaterThan(15)
  const folder = await mkdtemp(join(tmpdir(), 'refold-library-'))
  try {
    const inFolder = program.replace("'agent.db'", JSON.stringify(join(folder, 'agent.db')))
    const words = ['--input-type=module', '--eval', inFolder]
    const { stdout } = await run(process.execPath, words, { cwd: import.meta.dirname })
    expect(stdout.trimEnd().split('\n')).toEqual(promised)
  } finally {
    await rm(folder, { recursive: true })
  }
})
