import { expect, test } from 'vitest'
import { call, store } from './call.ts'
import { lines } from './example-messages.ts'

const at = '2026-06-19T13:11:08.000Z'

async function talk() {
  const { db, refold, folder } = store()
  await refold(['start', '--id', 's1', '--title', 'Sensors', '--cwd', '/work'])
  await refold(['append', 's1'], {
    input: lines(
      { id: 'm1', role: 'user', text: 'Why does the sensor fail when it is cold?', at },
      { id: 'm2', role: 'assistant', text: 'The sensor\u001b[31m is red.', at },
    ),
  })
  await refold(['branch', 's1', '--from', 'm1', '--id', 'b1'])
  return { db, refold, folder }
}

test('a search from the shell gives each message once, with where it stands and how it matches', async () => {
  const { refold } = await talk()
  const { hits, cursor } = await refold(['search', 'SENSOR', 'cold'])
  expect(cursor).toBe(null)
  expect(hits).toEqual([
    {
      session: 's1',
      title: 'Sensors',
      message: 'm1',
      snippet: 'Why does the sensor fail when it is cold?',
      score: expect.any(Number),
      marks: [
        [13, 19],
        [36, 40],
      ],
      sessions: ['s1', 'b1'],
      tip: 's1',
      kind: 'message',
      role: 'user',
      at,
      archived: false,
      anchor: expect.stringMatching(/^\d+$/),
    },
  ])
  const { entries } = await refold(['show', 's1', '--cursor', hits[0].anchor])
  expect(entries.map(({ id }: { id: string }) => id)).toEqual(['m1', 'm2'])
  expect((await refold(['search', '--', 'sensor', '-cold'])).hits).toMatchObject([{ message: 'm2' }])
})

test('limits are said in the answer, and a page names the next one', async () => {
  const { refold, db, folder } = await talk()
  expect(await refold(['search', 'sensor', '--role', 'user', '--cwd', '/work', '--from', '2026-06-01'])).toMatchObject({
    hits: [{ message: 'm1' }],
    scope: { role: 'user', cwd: '/work', from: expect.stringContaining('2026-') },
  })
  expect((await refold(['search', 'sensor', '--archived'])).hits).toEqual([])
  const first = await refold(['search', 'sensor', '--limit', '1'])
  expect(first.hits.map(({ message }: { message: string }) => message)).toEqual(['m2'])
  const second = await refold(['search', 'sensor', '--limit', '1', '--cursor', first.cursor])
  expect(second).toMatchObject({ hits: [{ message: 'm1' }], cursor: null })
  expect(await refold(['search', 'sensor', '--cursor', 'no'], { exit: 1 })).toMatchObject({
    error: { code: 'bad-cursor' },
  })
  expect(await refold(['search', 'sensor', '--session', 'who'], { exit: 1 })).toMatchObject({
    error: { code: 'session-not-found' },
  })
  const told = await call(['search', 'sensor', '--limit', '1', '--role', 'assistant', '--db', db], { folder })
  expect(told.output).toContain('Limited to role assistant.')
  const paged = await call(['search', 'sensor', '--limit', '1', '--db', db], { folder })
  expect(paged.output).toContain(`More: refold search --limit 1 --cursor ${first.cursor} --db refold.db -- sensor`)
})

test('people read it session by session, matches standing out, and nothing of a message steers their terminal', async () => {
  const { db, folder } = await talk()
  const { output } = await call(['search', 'sensor', '--db', db], { folder })
  expect(output).toMatch(
    /^s1 {2}Sensors\n {2}assistant {2}\S+ \S+ {2}m2\n {4}The sensor \[31m is red\.\n {2}user {2}\S+ \S+ {2}m1 {2}also in b1\n/,
  )
  expect(output).toContain('2 messages in 1 session.')
  expect(output).toContain('Around the first: refold show s1 --limit 20 --cursor')
  const coloured = await call(['search', 'sensor', '--db', db], { folder, isTerminal: true })
  expect(coloured.output).toContain('\u001b[33msensor\u001b[39m')
  expect(coloured.output).not.toContain('\u001b[31m is red')
  expect((await call(['search', 'nowhere', '--db', db], { folder })).output).toBe('Nothing found.\n')
})
