import type { HeadsList } from '@refold/engine'
import { command, type Command } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { isExport, isSqlite } from '../histories/first-bytes.ts'
import { isFile } from '../histories/find-histories.ts'
import { readNamed } from '../input/read-named.ts'
import type { Answer } from '../output/answer.ts'
import type { Terminal } from '../output/terminal.ts'
import type { RefusalLike } from '../output/failure.ts'
import type { Place } from '../place/place.ts'
import { useEngine, useSession } from '../place/use-engine.ts'
import { useKey } from '../place/use-key.ts'
import { useLog } from '../place/use-log.ts'
import { verifying } from '../place/verifying.ts'
import { verifyExport } from '../place/verify-export.ts'
import { breakJson, verifyWords, type SaidBreak } from '../render/verify-words.ts'
import { resolve } from 'node:path'
import { operandOrNone } from '../words/operand.ts'
import { text } from '../words/option.ts'
import { UsageError } from '../words/usage-error.ts'

const verify: Command = command({
  description: `Walks the chain of hashes over every event, and looks at every text and attachment, of the whole store, of a session
(with what it inherits), or of an exported file, which needs no store. Names the first break and ends with exit status 3.
A list of heads that was kept elsewhere (\`refold heads\`) also shows whether an end was cut off; --key checks its signature.`,
  operands: {
    target: operandOrNone('SESSION|FILE', 'a session, or an exported file (a file of that name goes first)'),
  },
  options: {
    heads: text('FILE', 'compares with this list of heads'),
    key: text('FILE', 'the public key, in PEM, that the list must be signed with'),
  },
  examples: [
    'refold verify',
    'refold verify release-notes',
    'refold verify release-notes.jsonl',
    'refold verify --heads heads.txt --key public.pem',
  ],
  run: async ({ operands: { target }, options, place, terminal }) => {
    const list = await readHeads(options, place, terminal)
    const file = target === undefined ? undefined : resolve(place.folder, target)
    if (file !== undefined && (await isFile(file))) {
      if (await isSqlite(file))
        return useLog({ ...place, file }, async (store) => answer(await verifying(store, terminal, list), list))
      if ((await isExport(file)) || !(await isSessionToo(place, target ?? '')))
        return answer(await verifyExport(file, terminal, list?.heads), list)
    }
    if (target === undefined)
      return useLog(place, async (store) => answer(await verifying(store, terminal, list), list))
    return useEngine(place, async (engine) => {
      const { basesOf, sessionStream } = await import('@refold/engine')
      const found = await engine.session(target)
      const stream = sessionStream({ namespace: engine.namespace, session: found.ok ? found.session : target })
      // A stream whose first event was damaged is no session any more, and just what should be looked at.
      if (!found.ok && (await engine.store.head(stream)) === undefined) return found
      const streams = [stream, ...(await basesOf(engine.store, [stream])).keys()]
      return answer(await verifying(engine.store, terminal, { ...list, streams }), list)
    })
  },
})

/** A file that is no export may just have the name of a session. */
async function isSessionToo(place: Place, name: string): Promise<boolean> {
  try {
    return await useSession(place, name, async () => true).then((found) => found === true)
  } catch {
    return false
  }
}

interface Listed extends HeadsList {
  readonly isChecked: boolean
}

async function readHeads(
  options: { readonly heads: string | undefined; readonly key: string | undefined },
  place: Place,
  terminal: Terminal,
): Promise<Listed | undefined> {
  const { heads, key } = options
  if (heads === undefined && key !== undefined)
    throw new UsageError('--key checks the signature of a list of heads; name that with --heads.')
  if (heads === undefined) return undefined
  const { checkSignature, parseHeads } = await import('@refold/engine')
  const text = await readNamed(heads, place, terminal)
  const list = await useKey(heads, () => parseHeads(text))
  if (key === undefined) return { ...list, isChecked: false }
  const pem = await readNamed(key, place, terminal)
  await useKey(heads, () => checkSignature(list, pem))
  return { ...list, isChecked: true }
}

/** What was verified, of a store or of a file. */
interface Report {
  readonly ok: boolean
  readonly streams: number
  readonly events: number
  readonly firstBreak: SaidBreak | null
  readonly missingAttachments?: number
}

function answer(report: Report, list: Listed | undefined): Answer | RefusalLike {
  const { ok, streams, events, firstBreak, missingAttachments = 0 } = report
  const heads = list && { count: list.heads.length, isSigned: list.isChecked }
  return {
    ...(ok ? {} : { exit: exitCode.unreadable }),
    json: {
      ok,
      streams,
      events,
      firstBreak: firstBreak && breakJson(firstBreak),
      ...(missingAttachments > 0 && { missingAttachments }),
      ...(list && {
        heads: { log: list.logId, streams: list.heads.length, signature: list.isChecked ? 'good' : 'not-checked' },
      }),
    },
    people: (look) => verifyWords(look, report, heads),
  }
}

export default verify
