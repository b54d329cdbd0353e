import type { AppendAnswer, MessageInput, Outcome, SessionHandle } from '@refold/engine'
import { command, type Call, type Command } from '../command.ts'
import { eachMessage, readMessages } from '../input/read-messages.ts'
import type { Answer } from '../output/answer.ts'
import { counted } from '../output/amount.ts'
import { safeText } from '../output/safe-text.ts'
import type { RefusalLike } from '../output/failure.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { count, flag, text } from '../words/option.ts'
import { present } from '../words/present.ts'
import { UsageError } from '../words/usage-error.ts'
import { writing } from '../words/writing.ts'

const operands = { session: sessionOperand }
const options = {
  reopen: flag('opens a session that was ended on purpose instead of being refused'),
  each: flag('appends line by line, and answers each with a line: for a pipe that stays open'),
  turn: text('TURN', 'the turn that the messages stand under; renews its lease'),
  route: text('ROUTE', 'the route that the work came by; needs --generation'),
  generation: count('N', "the route's generation then: refused when it is newer now"),
  ...writing,
}
type AppendCall = Call<typeof options, typeof operands>

const append: Command = command({
  description: `Adds messages, one JSON document a line on standard input. All of them or none; what is there already (by id) is
left out and counted, so that sending everything again is safe. Needs no lock, and lands at the live end whatever id
the session is called by.`,
  operands,
  options,
  examples: [
    `echo '{"id":"m1","role":"user","text":"Why does the sensor fail?"}' | refold append fingerprint-scanner`,
    'refold append fingerprint-scanner --reopen --json < turn.jsonl',
    'tail -f turn.jsonl | refold append fingerprint-scanner --each --json',
  ],
  run: (call) => {
    if ((call.options.route === undefined) !== (call.options.generation === undefined)) {
      throw new UsageError('--route and --generation go together.')
    }
    return call.options.each ? appendEach(call) : appendAll(call)
  },
})

async function appendAll(call: AppendCall): Promise<Answer | RefusalLike> {
  const { messages, turn } = await readMessages(call.terminal.input)
  return useSession(call.place, call.operands.session, async (handle) =>
    answer(await send(call, handle, messages, turn)),
  )
}

/** Stops at the first line that is refused; those before it are appended and were answered. */
async function appendEach(call: AppendCall): Promise<RefusalLike | void> {
  if (call.options.key !== undefined || call.options.expect !== undefined) {
    throw new UsageError('--each makes many appends; --key and --expect name one. Give the messages ids instead.')
  }
  const refusal = await useSession(call.place, call.operands.session, async (handle) => {
    for await (const { message, turn } of eachMessage(call.terminal.input)) {
      const said = answer(await send(call, handle, [message], turn))
      if ('ok' in said) return said
      await call.terminal.print(said)
    }
    return undefined
  })
  if (refusal !== undefined) return refusal
}

function send(
  { options }: AppendCall,
  handle: SessionHandle,
  messages: readonly MessageInput[],
  turn: string | undefined,
): Promise<Outcome<AppendAnswer>> {
  const { route, generation, key, expect, reopen } = options
  const by = route !== undefined && generation !== undefined ? { route, generation } : undefined
  return handle.append(messages, present({ key, expect, reopen, turn: turn ?? options.turn, route: by }))
}

function answer(outcome: Outcome<AppendAnswer>): Answer | RefusalLike {
  if (!outcome.ok) return outcome
  const { session, revision, appended, alreadyThere, unread, landedIn } = outcome
  return {
    json: { session, revision, appended, alreadyThere, unread, landedIn },
    people: () => {
      const known = alreadyThere === 0 ? '' : `, ${alreadyThere} already there`
      const missed = unread === 0 ? '' : ` ${counted(unread, 'event')} of others came before.`
      return safeText(`Appended ${counted(appended, 'message')} to ${session}${known}.${missed}`)
    },
  }
}

export default append
