import { command, type Command } from '../command.ts'
import { byteSize, counted } from '../output/amount.ts'
import { safeLine, safeText } from '../output/safe-text.ts'
import { isoTime } from '../output/moment.ts'
import { useSession } from '../place/use-engine.ts'
import { contextMessageJson } from '../render/context-message-json.ts'
import { partsWords } from '../render/part-words.ts'
import { sessionOperand } from '../words/operand.ts'
import { past, pastOf } from '../words/past.ts'

const context: Command = command({
  description: `Shows what the model is sent next: the system prompt, the newest summary, the messages that it does not cover.
The digest names exactly this; \`compact\` asks for it.`,
  operands: { session: sessionOperand },
  options: past,
  examples: ['refold context fingerprint-scanner', 'refold context 20260619 --json', 'refold context release --at -2h'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) => {
      const view = await handle.context(await pastOf(options))
      if ('ok' in view) return view
      const { session, segment, revision, digest, bytes, messages, systemPrompt, compactionFailures, cooldownUntil } =
        view
      return {
        json: {
          session,
          segment,
          revision,
          digest,
          bytes,
          messages: messages.map(contextMessageJson),
          systemPrompt,
          compactionFailures,
          cooldownUntil: cooldownUntil === null ? null : isoTime(cooldownUntil),
        },
        people: (look) => {
          const { bold, dim } = look.colours
          const facts = `${counted(messages.length, 'message')}, ${byteSize(bytes)}, revision ${revision}, digest ${digest}`
          const prompt = systemPrompt === null ? [] : [`${bold('system prompt')}\n${safeText(systemPrompt)}`]
          const sent = messages.map(({ role, parts, standsFor, id }) => {
            const what = standsFor === 'summary' ? `summary ${safeLine(id)}` : safeLine(id)
            return [`${bold(safeLine(role))}  ${dim(what)}`, ...partsWords(look, parts)].join('\n')
          })
          return [dim(facts), ...prompt, ...sent].join('\n\n')
        },
      }
    }),
})

export default context
