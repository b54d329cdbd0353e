import { describe, expect, test } from 'vitest'
import type { Setting, SessionEvent } from '@refold/events'
import { note } from '../../../packages/engine/src/commands/note.ts'
import { recordUsage } from '../../../packages/engine/src/commands/record-usage.ts'
import { set } from '../../../packages/engine/src/commands/set.ts'
import { commandWorld, given, outcomeOf, started, wholeLog, write } from '../../support/command-spec.ts'

const changed = (setting: Setting): SessionEvent => ({ type: 'SettingChanged', data: setting })

describe('set', () => {
  const settings: readonly Setting[] = [
    { key: 'model', value: 'large', provider: 'house' },
    { key: 'system-prompt', value: 'Be brief.' },
    { key: 'workspace', value: '/srv/app' },
    { key: 'goal', value: 'Ship it.' },
    { key: 'pinned', value: true },
    { key: 'hidden', value: true },
    { key: 'tag', tag: 'urgent', present: true },
    { key: 'read-mark', value: 4 },
    { key: 'host', name: 'theme', value: { dark: true } },
  ]

  test.for(settings.map((setting) => [setting.key, setting] as const))(
    'gives %s a value, once',
    async ([, setting]) => {
      await given([started])
        .when((desk) => set(desk, 's', { setting }))
        .writes([changed(setting)])
      await given([started, changed(setting)])
        .when((desk) => set(desk, 's', { setting }))
        .writesNothing()
    },
  )

  test('gives a value back that was changed in between', () =>
    given([started, changed({ key: 'workspace', value: '/a' }), changed({ key: 'workspace', value: '/b' })])
      .when((desk) => set(desk, 's', { setting: { key: 'workspace', value: '/a' } }))
      .writes([changed({ key: 'workspace', value: '/a' })]))

  test('keeps tags apart', () =>
    given([started, changed({ key: 'tag', tag: 'a', present: true })])
      .when((desk) => set(desk, 's', { setting: { key: 'tag', tag: 'b', present: true } }))
      .writes([changed({ key: 'tag', tag: 'b', present: true })]))

  test.for([
    { key: 'tag', tag: 'never', present: false },
    { key: 'pinned', value: false },
    { key: 'hidden', value: false },
    { key: 'workspace', value: null },
    { key: 'model', value: null },
  ] satisfies Setting[])('writes nothing to take away what was never there: %o', (setting) =>
    given([started])
      .when((desk) => set(desk, 's', { setting }))
      .writesNothing(),
  )

  test('knows the workspace and model that the session started with', () =>
    given([{ type: 'SessionStarted', data: { session: 's', origin: { kind: 'root' }, workspace: '/a' } }])
      .when((desk) => set(desk, 's', { setting: { key: 'workspace', value: '/a' } }))
      .writesNothing())

  test('records each reaction', () => {
    const reaction: Setting = { key: 'reaction', message: 'm1', author: 'ada', emoji: '👍', present: true }
    return given([started])
      .when((desk) => set(desk, 's', { setting: reaction }))
      .writes([changed(reaction)])
  })

  test('refuses a deleted session', () =>
    given([started, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when((desk) => set(desk, 's', { setting: { key: 'pinned', value: true } }))
      .refuses('session-deleted'))
})

describe('note', () => {
  test('writes down what a host has to say, under an id of its own', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const outcome = await outcomeOf(world, (desk) =>
      note(desk, 's', { kind: 'model-switch', text: 'now large', shownTo: 'both', blobs: [] }),
    )
    const last = (await wholeLog(world)).at(-1)
    expect(last).toMatchObject({
      type: 'Noted',
      data: { note: last?.id, kind: 'model-switch', text: 'now large', shownTo: 'both' },
    })
    expect(outcome).toMatchObject({ ok: true, note: last?.id })
  })

  test('stands once under the id that its host gave, and refuses to say something else there', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    const red = { note: 'build-17', kind: 'ci', text: 'red', shownTo: 'person', blobs: [] } as const
    expect(await outcomeOf(world, (desk) => note(desk, 's', red))).toMatchObject({ ok: true, events: ['Noted'] })
    const again = await outcomeOf(world, (desk) => note(desk, 's', { ...red, at: 5 }))
    expect(again).toMatchObject({ ok: true, repeated: true, note: 'build-17' })
    const before = await wholeLog(world)
    for (const other of [{ text: 'green' }, { kind: 'cd' }, { shownTo: 'both' }, { data: 1 }] as const)
      expect(await outcomeOf(world, (desk) => note(desk, 's', { ...red, ...other }))).toMatchObject({
        ok: false,
        code: 'note-conflict',
        note: 'build-17',
      })
    expect(await wholeLog(world)).toEqual(before)
  })
})

describe('usage', () => {
  const used: SessionEvent & { readonly type: 'UsageRecorded' } = {
    type: 'UsageRecorded',
    data: { key: 'request 1', tokens: { input: 10, output: 2 }, costUsd: 0.01 },
  }

  test('counts a key once, from however many sides it comes', async () => {
    const world = commandWorld()
    await write(world, { s: [started] })
    expect(await outcomeOf(world, (desk) => recordUsage(desk, 's', used))).toMatchObject({ events: ['UsageRecorded'] })
    expect(await outcomeOf(world, (desk) => recordUsage(desk, 's', used))).toMatchObject({ ok: true, repeated: true })
    expect((await wholeLog(world)).filter(({ type }) => type === 'UsageRecorded')).toHaveLength(1)
  })

  test('counts for an ended session, too: it was spent', () =>
    given([started, { type: 'Ended', data: { reason: 'done', class: 'deliberate' } }])
      .when((desk) => recordUsage(desk, 's', used))
      .writes([used]))
})
