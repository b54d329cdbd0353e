import type { Engine } from '@refold/engine'
import { importHistory } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import { start, summary } from './hermes/made-store.ts'
import { source, withEngine } from './importing/engines.ts'
import { begunStore, change, grow, longOutput, type Change } from './importing/growing-store.ts'
import { beforeImports } from './importing/before-imports.ts'
import { contextOf, entriesOf, handleOf, messagesOf, rowsOf } from './importing/view-of.ts'

const later = (id: number): number => start + 1_000 + id / 1_000_000
const callId = 'call_1a2b3c4d5e6f7g8h'

const newRows: Change = (store) => {
  store.say(7, 'user', 'Done.')
  store.say(8, 'assistant', 'Good.')
}

const compaction: Change = (store) => {
  store.run('UPDATE messages SET active = 0, compacted = 1')
  store.say(20, 'user', summary, { timestamp: later(20) })
  store.say(21, 'user', 'And now?', { timestamp: later(21) })
  store.say(22, 'assistant', 'Replace it.', { timestamp: later(22) })
}

const rotation: Change = (store) => {
  store.run("UPDATE sessions SET ended_at = ?, end_reason = 'compression' WHERE id = 's'", start + 900)
  store.begin({ id: 's-2', parent_session_id: 's', started_at: start + 900, title: 'sensor #2', input_tokens: 7 })
  store.say(20, 'user', summary, { session_id: 's-2', timestamp: later(20) })
  store.say(21, 'user', 'And now?', { session_id: 's-2', timestamp: later(21) })
  store.say(22, 'assistant', 'Replace it.', { session_id: 's-2', timestamp: later(22) })
  store.say(23, 'user', 'Thanks.', { session_id: 's-2', timestamp: later(90_000_000) })
}

const undo: Change = (store) => store.run('UPDATE messages SET active = 0, compacted = 0 WHERE id IN (5, 6)')

const prune: Change = (store) => {
  store.run('UPDATE messages SET active = 0, compacted = 1')
  const stub = { tool_call_id: callId, tool_name: 'bash', timestamp: later(22) }
  store.say(20, 'user', 'Why does the sensor fail?', { timestamp: later(20) })
  store.say(21, 'assistant', 'I look.', {
    timestamp: later(21),
    tool_calls: JSON.stringify([{ id: callId, function: { name: 'bash', arguments: '{"command":"ls"}' } }]),
  })
  store.say(22, 'tool', '[bash] 60 lines', stub)
  store.say(23, 'assistant', 'It is the cable.', { timestamp: later(23) })
  store.say(24, 'user', 'And now?', { timestamp: later(24) })
  store.say(25, 'assistant', 'Replace it.', { timestamp: later(25) })
}

const pruneInPlace: Change = (store) => store.run("UPDATE messages SET content = '[bash] 60 lines' WHERE id = 3")

const rename: Change = (store) => store.run("UPDATE sessions SET title = 'cable' WHERE id = 's'")
const archive: Change = (store) => store.run("UPDATE sessions SET archived = 1, pinned = 1 WHERE id = 's'")
const switchModel: Change = (store) =>
  store.run("UPDATE sessions SET model = 'aurora/onyx', cwd = '/home' WHERE id = 's'")
const end: Change = (store) => store.run("UPDATE sessions SET ended_at = ?, end_reason = 'user_exit'", start + 800)
const spend: Change = (store) =>
  store.run('UPDATE sessions SET input_tokens = 300, output_tokens = 5, estimated_cost_usd = 0.3')

const branch: Change = (store) => {
  store.begin({
    id: 'b',
    parent_session_id: 's',
    model_config: '{"_branched_from":"s"}',
    title: 'sensor #2',
    started_at: start + 500,
  })
  const [ask, answer] = ['Why does the sensor fail?', 'I look.']
  store.say(30, 'user', ask, { session_id: 'b', timestamp: start + 10 })
  store.say(31, 'assistant', answer, {
    session_id: 'b',
    timestamp: start + 20,
    tool_calls: JSON.stringify([{ id: callId, function: { name: 'bash', arguments: '{"command":"ls"}' } }]),
  })
  store.say(32, 'tool', longOutput, { session_id: 'b', timestamp: start + 30, tool_call_id: callId, tool_name: 'bash' })
  store.say(33, 'user', 'Is it the plug?', { session_id: 'b', timestamp: start + 700 })
}

const retry: Change = (store) => {
  store.run('DELETE FROM messages')
  store.say(40, 'user', 'Why does the sensor fail?', { timestamp: start + 10 })
  store.say(41, 'assistant', 'I look.', {
    timestamp: start + 20,
    tool_calls: JSON.stringify([{ id: callId, function: { name: 'bash', arguments: '{"command":"ls"}' } }]),
  })
  store.say(42, 'tool', longOutput, { tool_call_id: callId, tool_name: 'bash', timestamp: start + 30 })
  store.say(43, 'assistant', 'It is the cable.', { timestamp: start + 40 })
  store.say(44, 'user', 'And now?', { timestamp: start + 50 })
  store.say(45, 'assistant', 'Replace it.', { timestamp: start + 60 })
}

describe('a second import adds what came since, and all reads as after one import:', () => {
  test.each<readonly [string, readonly Change[]]>([
    ['new rows', [newRows]],
    ['a compaction in place', [compaction]],
    ['a rotation with a compaction', [rotation]],
    ['an undo', [undo]],
    ['an undo and what was said instead', [undo, newRows]],
    ['outputs pruned to stubs in an archive', [prune]],
    ['another title', [rename]],
    ['an archive and a pin', [archive]],
    ['another model and workspace', [switchModel]],
    ['an end', [end]],
    ['tokens and money, some corrected downwards', [spend]],
    ['a branch', [branch]],
    ['all rows written anew under other ids', [retry]],
    ['much at once', [newRows, rename, archive, spend, branch, end]],
  ])('%s', async (_, changes) => {
    const { inSteps, atOnce, second, third } = await grow(...changes)
    expect(inSteps).toEqual(atOnce)
    expect(third).toMatchObject({ events: 0, messages: 0 })
    expect(second.warnings.map(({ code }) => code)).not.toContain('source-reinterpreted')
  })
})

/** An engine that has imported a store which then changes. */
async function imported(
  work: (again: (...changes: readonly Change[]) => Promise<unknown>, engine: Engine) => Promise<void>,
): Promise<void> {
  const path = begunStore()
  await withEngine('memory', async (engine) => {
    const again = (...changes: readonly Change[]): Promise<unknown> => {
      change(path, ...changes)
      return importHistory(engine, path, { source })
    }
    await again()
    await work(again, engine)
  })
}

const textsOf = (messages: readonly { readonly [field: string]: unknown }[]): readonly unknown[] =>
  messages.map(({ text }) => text)

test('rows written anew add no message', () =>
  imported(async (again) => {
    expect(await again(retry)).toMatchObject({ events: 0, messages: 0 })
  }))

test('after a compaction the model is sent the summary once, what it kept and what came later', () =>
  imported(async (again, engine) => {
    await again(compaction, (store) => store.say(30, 'user', 'Which one?', { timestamp: start + 2_000 }))
    expect(textsOf(await contextOf(engine, 's'))).toEqual([summary, 'And now?', 'Replace it.', 'Which one?'])
    expect(textsOf(await messagesOf(engine, 's'))).toHaveLength(7)
  }))

test('a pruned output reads whole to people and short to the model, pruned in its own row too', () =>
  imported(async (again, engine) => {
    expect(await again(pruneInPlace)).toMatchObject({ messages: 0 })
    expect(textsOf(await messagesOf(engine, 's'))[2]).toBe(longOutput)
    expect(textsOf(await contextOf(engine, 's'))[2]).toBe('[bash] 60 lines')
  }))

test('what the source deleted stays', () =>
  imported(async (again, engine) => {
    expect(await again((store) => store.run('DELETE FROM messages WHERE id > 4'))).toMatchObject({ events: 0 })
    expect(await messagesOf(engine, 's')).toHaveLength(6)
  }))

test('what the source undid and did again comes back', () =>
  imported(async (again, engine) => {
    await again(undo)
    expect(await messagesOf(engine, 's')).toHaveLength(4)
    await again((store) => store.run('UPDATE messages SET active = 1'))
    expect(await messagesOf(engine, 's')).toHaveLength(6)
    await again(undo)
    expect(await messagesOf(engine, 's')).toHaveLength(4)
  }))

test('a value may go from a to b and back to a', () =>
  imported(async (again, engine) => {
    const titled = async (): Promise<unknown> => (await rowsOf(engine))[0]?.title
    for (const title of ['b', 'sensor', 'b', 'sensor']) {
      await again((store) => store.run('UPDATE sessions SET title = ?', title))
      expect(await titled()).toBe(title)
    }
  }))

test('a title, model or archive that somebody changed here stays, and the import says so', () =>
  imported(async (again, engine) => {
    const handle = await handleOf(engine, 's')
    await handle.rename('mine')
    await handle.set({ key: 'model', value: 'my/model' })
    const report = await again(rename, switchModel)
    expect((await rowsOf(engine))[0]).toMatchObject({ title: 'mine', model: 'my/model', workspace: '/home' })
    expect(report).toMatchObject({
      warnings: [
        { code: 'changed-here', where: 'sessions/s.model', kept: 'the value here' },
        { code: 'changed-here', where: 'sessions/s.title', kept: 'the title here' },
      ],
    })
  }))

test('what was said here since the import stays live when the source compacts', () =>
  imported(async (again, engine) => {
    const handle = await handleOf(engine, 's')
    await handle.append({ id: 'here', role: 'user', text: 'Said in Refold.' })
    await again(compaction)
    expect(textsOf(await contextOf(engine, 's'))).toContain('Said in Refold.')
  }))

test('what is said here while the import runs stays live as well', () =>
  imported(async (_, engine) => {
    const path = begunStore()
    change(path, newRows, (store) => {
      store.run('UPDATE messages SET active = 0, compacted = 1')
      store.say(20, 'user', summary, { timestamp: later(20) })
      store.say(21, 'user', 'Done.', { timestamp: later(21) })
      store.say(22, 'assistant', 'Good.', { timestamp: later(22) })
    })
    const handle = await handleOf(engine, 's')
    await importHistory(
      beforeImports(engine, async () => {
        await handle.append({ id: 'here', role: 'user', text: 'Said meanwhile.' })
      }),
      path,
      { source },
    )
    expect(textsOf(await contextOf(engine, 's'))).toEqual([summary, 'Said meanwhile.', 'Done.', 'Good.'])
  }))

test('a delegate is marked in its parent where it began', () =>
  imported(async (again, engine) => {
    await again((store) => store.begin({ id: 'd', parent_session_id: 's', source: 'subagent', started_at: start + 45 }))
    await withEngine('memory', async (atOnce) => {
      const path = begunStore()
      change(path, (store) =>
        store.begin({ id: 'd', parent_session_id: 's', source: 'subagent', started_at: start + 45 }),
      )
      await importHistory(atOnce, path, { source })
      const kinds = (await entriesOf(atOnce, 's')).map(({ kind }) => kind)
      expect(kinds).toEqual(['message', 'message', 'message', 'message', 'delegate', 'message', 'message'])
    })
    expect((await entriesOf(engine, 's')).filter(({ kind }) => kind === 'delegate')).toMatchObject([{ session: 'd' }])
    expect((await rowsOf(engine)).find(({ id }) => id === 's')?.delegates).toBe(1)
  }))

test('a deleted session is skipped, told, and not brought back', () =>
  imported(async (again, engine) => {
    await engine.delete(['s'])
    expect(await again(newRows)).toMatchObject({
      events: 0,
      warnings: [{ code: 'skipped-deleted', where: 'sessions/s', kept: null }],
    })
    expect(await rowsOf(engine)).toEqual([])
  }))

test('the first reading of a rotation stands: a continuation that lost to it becomes a stray', () =>
  imported(async (again, engine) => {
    await again(rotation)
    await again((store) => {
      store.run("UPDATE sessions SET ended_at = ?, end_reason = 'user_exit' WHERE id = 's-2'", start + 1_100)
      store.begin({ id: 's-3', parent_session_id: 's', started_at: start + 1_200 })
      store.say(50, 'user', 'In the other window', { session_id: 's-3', timestamp: start + 1_300 })
      store.say(51, 'assistant', 'Yes?', { session_id: 's-3', timestamp: start + 1_310 })
    })
    const rows = new Map((await rowsOf(engine)).map((row) => [row.id, row]))
    expect(rows.get('s')).toMatchObject({ segments: ['s', 's-2'], tip: 's-2', messages: 7 })
    expect(rows.get('s-3')).toMatchObject({ origin: { kind: 'stray', session: 's' }, messages: 8 })
  }))

test('a continuation is found though the source deleted the session that it continues', () =>
  imported(async (again, engine) => {
    await again(rotation)
    await again((store) => {
      store.run("DELETE FROM sessions WHERE id = 's'")
      store.run("DELETE FROM messages WHERE session_id = 's'")
      store.run("UPDATE sessions SET parent_session_id = NULL WHERE id = 's-2'")
      store.say(60, 'assistant', 'At your service.', { session_id: 's-2', timestamp: start + 2_000 })
    })
    expect((await rowsOf(engine)).map(({ id }) => id)).toEqual(['s'])
    expect(textsOf(await messagesOf(engine, 's')).slice(-2)).toEqual(['Thanks.', 'At your service.'])
  }))

test('an id that a session here has already is left alone: the import takes another one and says so', async () => {
  const path = begunStore()
  await withEngine('memory', async (engine) => {
    await engine.start({ id: 's', title: 'mine' })
    const first = await importHistory(engine, path, { source })
    expect(first.warnings).toEqual([{ code: 'id-taken', where: 'sessions/s', kept: 'hermes-s' }])
    expect(await messagesOf(engine, 's')).toEqual([])
    expect(await messagesOf(engine, 'hermes-s')).toHaveLength(6)
    change(path, newRows)
    expect(await importHistory(engine, path, { source })).toMatchObject({ messages: 2 })
    expect(await rowsOf(engine)).toHaveLength(2)
  })
})

test('two stores whose sessions share an id and began at different times are two sessions', async () => {
  const [one, two] = [begunStore(), begunStore()]
  change(two, (store) => store.run('UPDATE sessions SET started_at = started_at + 5, title = NULL'))
  await withEngine('memory', async (engine) => {
    await importHistory(engine, one, { source })
    await importHistory(engine, two, { source })
    expect((await rowsOf(engine)).map(({ id }) => id).sort()).toEqual(['hermes-s', 's'])
    expect(await importHistory(engine, one, { source })).toMatchObject({ events: 0 })
    expect(await importHistory(engine, two, { source })).toMatchObject({ events: 0 })
  })
})

test('messages that come after an end reopen the session before they are written', () =>
  imported(async (again, engine) => {
    await again(end)
    await again(newRows, (store) => store.run('UPDATE sessions SET ended_at = NULL, end_reason = NULL'))
    expect((await entriesOf(engine, 's')).slice(-4).map(({ kind }) => kind)).toEqual([
      'end',
      'reopen',
      'message',
      'message',
    ])
    expect((await rowsOf(engine))[0]?.status).toBe('waiting')
  }))
