import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder, store } from './call.ts'
import { lines, question } from './example-messages.ts'
import { spawned } from './spawned.ts'

const talk = (name: string): string =>
  lines(...Array.from({ length: 60 }, (_, at) => ({ id: `${name}${at}`, role: 'user', text: `${name} ${at}` })))

describe('the process', () => {
  test('ends with the status that the contract says', async () => {
    const { db, folder, refold } = store()
    await refold(['start', '--id', 's1'])
    const broken = join(folder, 'broken.db')
    writeFileSync(broken, 'no store '.repeat(600))
    const ended = await Promise.all([
      spawned(['list', '--db', db]),
      spawned(['show', 'nobody', '--db', db]),
      spawned(['list', '--db', join(folder, 'none.db')]),
      spawned(['list', '--limit', 'x', '--db', db]),
      spawned(['list', '--db', broken]),
      spawned([]),
    ])
    expect(ended.map(({ status }) => status)).toEqual([0, 1, 1, 2, 3, 2])
  })

  test('prints with --json one line on standard output and nothing anywhere else', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1', '--title', 'A title with spaces'])
    const [list, missing] = await Promise.all([
      spawned(['--db', db, '--json', 'list']),
      spawned(['show', '--json', 'nobody', `--db=${db}`]),
    ])
    for (const { output, errors } of [list, missing]) {
      expect(errors).toBe('')
      expect(output).toMatch(/^\{.*\}\n$/)
      expect(output).toBe(`${JSON.stringify(JSON.parse(output))}\n`)
    }
    expect(JSON.parse(missing.output).error).toMatchObject({ code: 'session-not-found', name: 'nobody' })
  })

  test('takes a reader that leaves early for satisfied', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1'])
    const text = 'a long answer '.repeat(700)
    await refold(['append', 's1'], {
      input: lines(...Array.from({ length: 400 }, (_, at) => ({ id: `m${at}`, role: 'assistant', text }))),
    })
    const ended = await spawned(['show', 's1', '--limit', '1000', '--db', db], { readBytes: 1000 })
    expect(ended).toMatchObject({ status: 0, errors: '' })
  })

  test('appends everything of --each although nobody reads the answers', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1'])
    const input = lines(...Array.from({ length: 300 }, (_, at) => ({ id: `m${at}`, role: 'user', text: `${at}` })))
    const ended = await spawned(['append', 's1', '--each', '--json', '--db', db], { input, readBytes: 1 })
    expect(ended).toMatchObject({ status: 0, errors: '' })
    expect((await refold(['list'])).sessions[0].messages).toBe(300)
  })

  test('shares a session with another process, and nothing is lost or doubled', async () => {
    const { db, refold } = store()
    await refold(['start', '--id', 's1'])
    const both = await Promise.all([
      spawned(['append', 's1', '--each', '--json', '--db', db], { input: talk('a') }),
      spawned(['append', 's1', '--each', '--json', '--db', db], { input: talk('b') }),
      spawned(['append', 's1', '--each', '--json', '--db', db], { input: talk('a') }),
    ])
    expect(both.map(({ status }) => status)).toEqual([0, 0, 0])
    const ids: readonly string[] = (await refold(['show', 's1', '--limit', '1000'])).entries.map(
      ({ id }: { id: string }) => id,
    )
    expect(ids).toHaveLength(120)
    for (const name of ['a', 'b']) {
      const own = ids.filter((id) => id.startsWith(name))
      expect(own).toEqual(Array.from({ length: 60 }, (_, at) => `${name}${at}`))
    }
  })

  test("takes relative paths from where npm was called for this project's scripts", async () => {
    const folder = scratchFolder(onTestFinished)
    const npm = { npm_package_name: 'refold-workspace', npm_lifecycle_event: 'refold', INIT_CWD: folder }
    const started = await spawned(['start', '--id', 's1', '--db', 'own.db'], { environment: npm })
    expect(started).toMatchObject({ status: 0, output: 's1\n' })
    const list = await spawned(['list', '--json', '--db', 'own.db'], { folder })
    expect(JSON.parse(list.output).total).toBe(1)
  })

  test('keeps its store in the data folder where nothing else is said', async () => {
    const home = scratchFolder(onTestFinished)
    const environment = { HOME: home, XDG_DATA_HOME: join(home, 'data') }
    await spawned(['start', '--id', 's1'], { environment })
    const input = lines(question)
    const appended = await spawned(['append', 's1', '--json', '--db', join(home, 'data/refold/refold.db')], { input })
    expect(JSON.parse(appended.output)).toMatchObject({ session: 's1', appended: 1 })
  })
})
