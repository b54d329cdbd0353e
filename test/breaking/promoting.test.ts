import { expect, test } from 'vitest'
import { facadeWorld, linesOf, startIn, sure, transcriptOf } from '../support/facade-world.ts'

test('what is said while a private session is promoted is promoted too, or follows in the log', async () => {
  const { engine } = await facadeWorld()
  const { handle, session } = sure(await engine.privateSession({ id: 'p', title: 'Secret' }))
  sure(await handle.append({ id: 'before', role: 'user', text: 'before' }))
  const outcomes = await Promise.all([
    handle.append({ id: 'just-before', role: 'user', text: '1' }),
    handle.promote(),
    handle.append({ id: 'during', role: 'user', text: '2' }),
    handle.promote(),
    handle.rename('Known'),
    handle.append({ id: 'after', role: 'user', text: '3' }),
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true])
  const stored = sure(await engine.session(session)).handle
  const lines = ['before: before', 'just-before: 1', 'during: 2', 'after: 3']
  expect(await linesOf(stored)).toEqual(lines)
  expect(await linesOf(handle)).toEqual(lines)
  expect(await engine.start({ id: 'other', title: 'Known' })).toMatchObject({ code: 'title-taken', holder: 'p' })
  expect(await engine.start({ id: 'other', title: 'Secret' })).toMatchObject({ ok: true })
})

test('a refused promotion keeps the private session as it is, and usable', async () => {
  const { engine } = await facadeWorld()
  const { handle } = sure(await engine.privateSession({ id: 'p' }))
  await startIn(engine, 'p')
  const [refused, appended] = await Promise.all([
    handle.promote(),
    handle.append({ id: 'm1', role: 'user', text: '1' }),
  ])
  expect(refused).toMatchObject({ ok: false, code: 'id-taken' })
  expect(appended).toMatchObject({ ok: true })
  expect(await linesOf(handle)).toEqual(['m1: 1'])
})

test('a private session that another session would have to know of is refused at once', async () => {
  const { engine } = await facadeWorld()
  const open = await startIn(engine, 'open')
  const before = await open.events()
  for (const input of [{ resetOf: 'open' }, { delegateOf: 'open' }])
    expect(await engine.privateSession(input)).toMatchObject({ ok: false, code: 'not-private', session: 'open' })
  expect(await open.events()).toEqual(before)
})

test('an id that is none is refused by name at every door that starts a session', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  for (const id of ['', 'x'.repeat(201), '\ud800', 'a\udc00b']) {
    const bad = { code: 'bad-id', fields: { what: 'A session', value: id } }
    await expect(engine.start({ id })).rejects.toMatchObject(bad)
    await expect(session.branch({ from: 'start', id })).rejects.toMatchObject(bad)
    await expect(session.spawn({ id })).rejects.toMatchObject(bad)
    await expect(engine.privateSession({ id })).rejects.toMatchObject(bad)
  }
  expect((await transcriptOf(session)).entries).toEqual([])
})
