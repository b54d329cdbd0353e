import * as fc from 'fast-check'
import type { Part } from '@refold/events'
import { messageIn } from '../model/session.ts'
import { edit, prune } from '../model/rules/edit.ts'
import { note } from '../model/rules/note.ts'
import { rewind, undo } from '../model/rules/rewind.ts'
import { choice, commands, nameOf, someSession } from '../where.ts'
import { carryOut, newest, pick, type WorldCommand } from '../world-command.ts'
import { textOf, texts } from '../texts.ts'
import { on, someMessage } from './appending.ts'

const rewinds = commands(
  'rewind',
  fc.record({ session: choice, name: choice, to: choice, base: fc.constantFrom('none', 'none', 'right', 'stale') }),
  async (chosen, place) => {
    const { world, namespace, stage } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const to = chosen.to === 29 ? null : someMessage(session, chosen.to)
    const isStale = chosen.base === 'stale'
    const verdict = rewind(world, namespace, session.id, { to, isStale })
    const found = await stage.engine(place.index, 0).session(session.id)
    const head = found.ok ? found.handle.readUpTo : 0
    const base = chosen.base === 'none' ? {} : { base: isStale ? head - 1 : head }
    return carryOut(place, 'rewind', session.id, verdict, (engine, key) =>
      on(engine, nameOf(session, chosen.name), (handle) => handle.rewind({ to: to ?? 'start', key, ...base })),
    )
  },
)

const undos = commands(
  'undo',
  fc.record({ session: choice, which: fc.option(choice, { freq: 2 }) }),
  async (chosen, place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const undoId = chosen.which === null ? null : (pick(newest(session.rewinds), chosen.which)?.id ?? 'none')
    const verdict = undo(world, namespace, session.id, { undoId })
    return carryOut(place, 'undo', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.undo(undoId ?? undefined, { key })),
    )
  },
)

const edits = commands('edit', fc.record({ session: choice, message: choice, text: texts }), async (chosen, place) => {
  const { world, namespace } = place
  const session = someSession(namespace, chosen.session)
  if (!session) return 'no session'
  const message = someMessage(session, chosen.message)
  const text = textOf(chosen.text)
  const parts = [{ type: 'text', text }] as const
  const verdict = edit(world, namespace, session.id, { message, parts })
  return carryOut(place, 'edit', session.id, verdict, (engine, key) =>
    on(engine, session.id, (handle) => handle.edit(message, { text, key })),
  )
})

/** Calls and results stay what they are, with other words. */
const stub = (parts: readonly Part[], text: string): readonly Part[] =>
  parts.some(({ type }) => type === 'tool-call' || type === 'tool-result')
    ? parts.map((part): Part => (part.type === 'tool-result' ? { ...part, text } : part))
    : [{ type: 'text', text }]

const prunes = commands(
  'prune',
  fc.record({
    session: choice,
    message: choice,
    text: fc.option(fc.constantFrom('[cut]', '[cut again]'), { freq: 3 }),
  }),
  async (chosen, place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const message = someMessage(session, chosen.message)
    const parts = chosen.text === null ? null : stub(messageIn(session, message)?.parts ?? [], chosen.text)
    const verdict = prune(world, namespace, session.id, { message, parts })
    return carryOut(place, 'prune', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.prune(message, { parts, why: 'pruned', key })),
    )
  },
)

const notes = commands(
  'note',
  fc.record({ session: choice, text: texts, shownTo: fc.constantFrom('person', 'both', 'model', 'none') }),
  async ({ session: which, shownTo, ...chosen }, place) => {
    const text = textOf(chosen.text)
    const { world, namespace } = place
    const session = someSession(namespace, which)
    if (!session) return 'no session'
    const id = `n${world.step}`
    const verdict = note(world, namespace, session.id, { note: id, text, shownTo })
    return carryOut(place, 'note', session.id, verdict, (engine, key) =>
      on(engine, session.id, (handle) => handle.note({ kind: 'said aside', note: id, text, shownTo, key })),
    )
  },
)

export const changes: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 4, arbitrary: rewinds },
  { weight: 4, arbitrary: undos },
  { weight: 2, arbitrary: edits },
  { weight: 2, arbitrary: prunes },
  { weight: 1, arbitrary: notes },
)
