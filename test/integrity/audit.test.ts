import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { eventSchemas, type EventOf, type EventType } from '@refold/events'
import { auditLine } from '@refold/projections'
import { call, store } from '../cli/call.ts'
import { SessionLog } from '../support/session-log.ts'

const root = { kind: 'root' } as const
const text = [{ type: 'text', text: 'Hello' }] as const
const sizes = { bytesBefore: 9, bytesAfter: 3 }

/** One of each type, and its words. */
const samples: { readonly [T in EventType]: readonly [EventOf<T>['data'], string] } = {
  SessionStarted: [{ session: 's', origin: root }, 'Started anew'],
  Ended: [{ reason: 'closed', class: 'deliberate' }, 'Ended (deliberate): closed'],
  Reopened: [{ why: 'person' }, 'Reopened because somebody asked'],
  Archived: [{ by: 'person' }, 'Archived'],
  Unarchived: [{ by: 'person' }, 'Taken out of the archive'],
  Deleted: [{ deletionId: 'x', seed: 's', along: [] }, 'Deleted with session s (deletion x)'],
  Restored: [{ deletionId: 'x', title: null }, 'Restored (deletion x)'],
  Redacted: [
    { targets: [{ eventId: 'e', revision: 4, parts: ['text'], digest: 'd' }], reason: 'a password' },
    'Took words out of 1 event (revision 4): a password',
  ],
  PurgeStarted: [{ purgeId: 'p', eventIds: ['e'], kept: [] }, 'Overwrote 1 event for good, kept 0 (purge p)'],
  Purged: [{ purgeId: 'p', receipt: {} }, 'Finished purge p'],
  MessageAppended: [
    { id: 'm1', role: 'user', parts: text, provenance: 'person', shownTo: 'both' },
    'Message m1 of the user (by person): “Hello”',
  ],
  MessageEdited: [{ message: 'm1', parts: text }, 'Edited message m1: “Hello”'],
  Rewound: [{ undoId: 'u', lastThatStays: 'm1', reason: 'rewind' }, 'Rewound to message m1 (rewind; undo u)'],
  RewindUndone: [{ undoId: 'u', newUndoId: 'v' }, 'Took back rewind u; what came since is kept as v'],
  Compacted: [
    {
      compactionId: 'k',
      base: 1,
      watermark: 4,
      covers: 2,
      held: 'd',
      kept: [],
      summary: 'All of it',
      summaryRole: 'user',
      wireForms: [],
      sizes,
    },
    'Summarised 2 messages up to revision 4, kept 0, from 9 to 3 bytes (compaction k): “All of it”',
  ],
  CompactionUndone: [{ compactionId: 'k' }, 'Took back compaction k'],
  CompactionFailed: [{ reason: 'too long' }, 'Could not compact: too long'],
  WireFormSet: [{ message: 'm1', parts: null, why: 'asked' }, 'The model sees message m1 whole again: asked'],
  Rotated: [{ from: 's', to: 't', reason: 'size' }, 'Rotated from segment s to t: size'],
  Renamed: [{ title: 'plan', by: 'person' }, 'Named it “plan” (person)'],
  DelegateSpawned: [{ session: 'd', task: 'Look' }, 'Sent off delegate d: “Look”'],
  DelegateReported: [
    { session: 'd', run: 'r', outcome: 'done' },
    'Delegate d reported done (run r; not told to the model)',
  ],
  SettingChanged: [{ key: 'pinned', value: true }, 'Pinned'],
  TurnStarted: [{ turn: 't', holder: 'h', leaseMs: 9 }, 'Turn t began, held by h for 9 ms'],
  TurnRenewed: [{ turn: 't', leaseMs: 9 }, 'Turn t goes on, for 9 ms more'],
  TurnEnded: [{ turn: 't', outcome: 'done' }, 'Turn t ended: done'],
  UsageRecorded: [{ key: 'q', tokens: { input: 3 } }, 'Used 3 input tokens (q)'],
  Noted: [{ note: 'n', kind: 'todo', shownTo: 'none' }, 'Noted todo [shown to none]'],
  Claimed: [{ kind: 'title', namespace: 'default', holder: 's' }, 'Session s holds this title in namespace default'],
  Released: [{ holder: 's', why: 'renamed' }, 'Session s gave this name back: renamed'],
  ClaimDropped: [{ claim: 'c', claimRevision: 0 }, 'Claim c is about to be released, for nothing here backs it'],
}

test('every type of event has words', () => {
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(eventSchemas).toSorted())
  const {
    type: _type,
    data: _data,
    ...envelope
  } = new SessionLog().add('s', { type: 'Archived', data: { by: 'idle' } })
  for (const [type, [data, words]] of Object.entries(samples)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table pairs each type with its own data
    const event = { ...envelope, type, data } as Parameters<typeof auditLine>[0]
    expect(auditLine(event).what).toBe(words)
  }
})

async function told() {
  const { db, refold } = store()
  await refold(['start', '--id', 's', '--key', 'k1'])
  await refold(['append', 's'], { input: '{"id":"m1","role":"user","text":"One\\u001b[2J"}\n' })
  await refold(['rename', 's', '--key', 'k2', '--', 'plan'])
  return { db, refold }
}

test('audit tells each event of a session, as a line for people and as a document for programs', async () => {
  const { db } = await told()
  const { output } = await call(['--db', db, 'audit', 's'])
  const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
  expect(output.replace(time, 'T')).toBe(
    `   0  T  person (person, cli)  Started anew (cli) [caused by k1]
   1  T  person (person, cli)  Message m1 of the user (by person): “One␛[2J”
   2  T  person (person, cli)  Named it “plan” (person) [caused by k2]
`,
  )
  const lines = (await call(['--db', db, '--json', 'audit', 's'])).output.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { session: 's', revision: 0, type: 'SessionStarted', cause: { id: 'k1', revision: null } },
    { session: 's', revision: 1, type: 'MessageAppended', actor: { kind: 'person', surface: 'cli' }, cause: null },
    { session: 's', revision: 2, what: 'Named it “plan” (person)', event: { data: { title: 'plan', by: 'person' } } },
  ])
})

test('audit tells only what is asked for, by revision, time, type, actor and surface', async () => {
  const { db } = await told()
  const revisions = async (...words: readonly string[]) => {
    const { output } = await call(['--db', db, '--json', 'audit', 's', ...words])
    return output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).revision]))
  }
  expect(await revisions('--from', '1', '--to', '1')).toEqual([1])
  expect(await revisions('--kind', 'renamed', '--kind', 'session-started')).toEqual([0, 2])
  expect(await revisions('--actor', 'person')).toEqual([0, 1, 2])
  expect(await revisions('--actor', 'importer')).toEqual([])
  expect(await revisions('--surface', 'web')).toEqual([])
  expect(await revisions('--from', '2000-01-01')).toEqual([0, 1, 2])
  expect(await revisions('--to', '2000-01-01')).toEqual([])
})

test('audit stops at an event that is not what was recorded', async () => {
  const { db } = await told()
  const file = new Database(db)
  file.prepare("UPDATE events SET payload = replace(payload, 'One', 'Two')").run()
  file.close()
  const { exit, output } = await call(['--db', db, '--json', 'audit', 's', '--from', '2'])
  expect(exit).toBe(3)
  expect(JSON.parse(output)).toMatchObject({ error: { code: 'store-damaged' } })
})
