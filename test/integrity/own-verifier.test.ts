import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, store } from '../cli/call.ts'

const page = readFileSync(new URL('../../docs/integrity.md', import.meta.url), 'utf8')

test('the verifier that the page prints accepts an export, and names the line of a changed one', async () => {
  const { folder, db, refold } = store()
  await refold(['start', '--id', 's', '--title', 'Ünïcode'])
  await refold(['append', 's'], { input: '{"id":"m1","role":"user","text":"Grüße \\ud83d"}\n' })
  const { output: exported } = await call(['--db', db, 'export', 's'])
  const script = join(folder, 'verify.mjs')
  writeFileSync(script, /```js verify\.mjs\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  const verifier = (input: string) => {
    const { status, stdout } = spawnSync(process.execPath, [script], { input, encoding: 'utf8' })
    return { status, stdout }
  }
  const { output: heads } = await call(['--db', db, 'heads'])
  expect(verifier(exported)).toEqual({ status: 0, stdout: `${heads.split('\n')[4]}\n` })
  const changed = exported.replace('Grüße', 'Grusse')
  expect(changed).not.toBe(exported)
  expect(verifier(changed)).toEqual({
    status: 3,
    stdout: 'line 5: revision 2 of session-default.s breaks the chain\n',
  })
})
