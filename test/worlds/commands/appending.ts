import * as fc from 'fast-check'
import { hash } from 'node:crypto'
import type { Part } from '@refold/events'
import type { Engine, MessageInput, Outcome, Refusal, SessionHandle } from '@refold/engine'
import { isMessage, type Entry } from '../model/entry.ts'
import { append, type Said } from '../model/rules/append.ts'
import type { Session } from '../model/session.ts'
import { inSight } from '../model/transcript.ts'
import type { World } from '../model/world.ts'
import { textOf, texts, type TextName } from '../texts.ts'
import { choice, commands, nameOf, newMessageId, someSession } from '../where.ts'
import { carryOut, newest, pick, type Place, type WorldCommand } from '../world-command.ts'

/** What to say, by numbers that select among what is there. */
interface Saying {
  readonly what: 'asks' | 'answers' | 'thinks' | 'calls' | 'returns' | 'shows'
  readonly identity:
    | 'new'
    | 'again'
    | 'otherwise'
    | 'unnamed'
    | 'from a platform'
    | 'named and from a platform'
    | 'grows'
  readonly text: TextName
  readonly which: number
  readonly shownTo: 'both' | 'person' | 'model'
  readonly at: number | null
}

const identity: fc.Arbitrary<Saying['identity']> = fc.oneof(
  { weight: 14, arbitrary: fc.constant('new' as const) },
  { weight: 2, arbitrary: fc.constant('again' as const) },
  { weight: 1, arbitrary: fc.constant('otherwise' as const) },
  { weight: 1, arbitrary: fc.constant('unnamed' as const) },
  { weight: 1, arbitrary: fc.constant('from a platform' as const) },
  { weight: 1, arbitrary: fc.constant('named and from a platform' as const) },
  { weight: 3, arbitrary: fc.constant('grows' as const) },
)

export const saying: fc.Arbitrary<Saying> = fc.record({
  what: fc.constantFrom('asks', 'answers', 'calls', 'returns', 'thinks', 'shows'),
  identity,
  text: texts,
  which: choice,
  shownTo: fc.oneof(
    { weight: 10, arbitrary: fc.constant('both' as const) },
    { weight: 1, arbitrary: fc.constantFrom('person' as const, 'model' as const) },
  ),
  at: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(1_800_000_000_500, 1_799_999_999_000, 5, 1e15) },
  ),
})

/** Turns choices into messages, given what the session holds. */
export function sayingsIn(world: World, session: Session, sayings: readonly Saying[]): readonly Said[] {
  return sayings.map((one, place) => saidBy(world, session, one, place))
}

function saidBy(
  world: World,
  session: Session,
  { what, identity, which, shownTo, at, ...said }: Saying,
  place: number,
): Said {
  const text = textOf(said.text)
  const fresh = newMessageId(world, place)
  const plain: Said = { id: fresh, ...spoken(session, what, text, which), shownTo, partial: null, platformId: null, at }
  switch (identity) {
    case 'new':
      return plain
    case 'unnamed':
      return { ...plain, id: null }
    case 'from a platform':
      return { ...plain, id: null, platformId: `chat ${which % 3}` }
    case 'named and from a platform':
      return { ...plain, platformId: `chat ${which % 3}` }
    case 'again':
    case 'otherwise': {
      const known = pick(newest(namable(session).filter(({ said }) => said !== null)), which)
      if (!known) return plain
      const { role, parts, platformId } = asSaid(known.said)
      const isSame = identity === 'again'
      return {
        ...plain,
        id: known.id,
        role,
        platformId,
        parts: isSame ? parts : [...parts, { type: 'text', text: 'more' }],
      }
    }
    case 'grows': {
      const known = pick(
        newest(namable(session).filter(({ grown, grownBefore }) => grown.size + grownBefore.size > 0)),
        which,
      )
      const id = known && which % 4 !== 3 ? known.id : fresh
      const words = { role: 'assistant', parts: [{ type: 'text', text }] } as const
      return { ...plain, ...words, id, partial: which % 5 === 4 ? null : which % 7 }
    }
    default:
      return identity satisfies never
  }
}

const namable = ({ entries }: Session): readonly Entry[] => entries.filter(isMessage)

/** The texts that the generators know are what the log keeps; content is compared by it. */
function asSaid(said: string | null): Pick<Said, 'role' | 'parts' | 'platformId'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the model itself
  const [role, parts, platformId] = JSON.parse(said ?? '[]') as [Said['role'], readonly Part[], string | null]
  return { role, parts, platformId }
}

function spoken(session: Session, what: Saying['what'], text: string, which: number): Pick<Said, 'role' | 'parts'> {
  switch (what) {
    case 'asks':
      return { role: 'user', parts: [{ type: 'text', text }] }
    case 'answers':
      return { role: 'assistant', parts: [{ type: 'text', text }] }
    case 'thinks':
      return { role: 'assistant', parts: [{ type: 'reasoning', text }] }
    case 'calls': {
      const call = { type: 'tool-call', name: 'read', arguments: { file: text.slice(0, 300) } } as const
      const ids = which % 3 === 0 ? [`c${which}`, `c${which + 1}`] : [`c${which}`]
      return { role: 'assistant', parts: ids.map((id) => ({ ...call, id })) }
    }
    case 'returns': {
      const calls = inSight(session).flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
      )
      const id = pick(newest(calls), which) ?? `c${which}`
      return { role: 'tool', parts: [{ type: 'tool-result', toolCallId: id, text }] }
    }
    case 'shows': {
      const bytes = new TextEncoder().encode(text)
      const image = { type: 'image', mediaType: 'image/png', blob: hash('sha256', bytes), bytes: bytes.length } as const
      return { role: 'user', parts: [image, { type: 'text', text: 'look' }] }
    }
    default:
      return what satisfies never
  }
}

export function inputOf({ id, role, parts, shownTo, partial, platformId, at }: Said): MessageInput {
  return {
    role,
    parts,
    shownTo,
    ...(id === null ? {} : { id }),
    ...(partial === null ? {} : { partial }),
    ...(platformId === null ? {} : { platformId }),
    ...(at === null ? {} : { at }),
  }
}

/** Does something with a session, by any name it ever had. */
export async function on<A extends object>(
  engine: Engine,
  name: string,
  act: (handle: SessionHandle) => Promise<Outcome<A>>,
): Promise<Outcome<A> | Refusal> {
  const found = await engine.session(name)
  return found.ok ? act(found.handle) : found
}

export const appends: fc.Arbitrary<WorldCommand> = commands(
  'append',
  fc.record({
    session: choice,
    name: choice,
    sayings: fc.array(saying, { minLength: 1, maxLength: 3 }),
    turn: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: choice }),
    reopen: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    route: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(5) }),
  }),
  async (chosen, place: Place) => {
    const { world, namespace } = place
    const session = someSession(namespace, chosen.session)
    if (!session) return 'no session'
    const messages = sayingsIn(world, session, chosen.sayings)
    const turn = chosen.turn === null ? null : (pick(newest(session.turns.keys()), chosen.turn) ?? null)
    const { reopen } = chosen
    const route =
      chosen.route === null ? null : { route: `chat ${chosen.route % 2}`, generation: 1 + (chosen.route >> 1) }
    const verdict = append(world, namespace, session.id, { messages, turn, reopen, route })
    const input = { reopen, ...(turn === null ? {} : { turn }), ...(route ? { route } : {}) }
    return carryOut(place, 'append', session.id, verdict, (engine, key) =>
      on(engine, nameOf(session, chosen.name), (handle) => handle.append(messages.map(inputOf), { key, ...input })),
    )
  },
)

/** A message of the session, by a number; seldom one that is not there. */
export function someMessage(session: Session, choice: number): string {
  if (choice === 30) return 'nowhere'
  return pick(newest(namable(session)), choice)?.id ?? 'nowhere'
}
