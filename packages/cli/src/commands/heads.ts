import { command, type Command } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { readNamed } from '../input/read-named.ts'
import { isoTime } from '../output/moment.ts'
import { useKey } from '../place/use-key.ts'
import { useLog } from '../place/use-log.ts'
import { verifying } from '../place/verifying.ts'
import { breakJson } from '../render/verify-words.ts'
import { text } from '../words/option.ts'

const heads: Command = command({
  description: `Lists where each session ends: its last revision and hash, after the whole log was verified. Kept elsewhere, such
a list shows later whether anything was cut off or written anew (\`refold verify --heads\`). Signed with an Ed25519 key it also
shows that nobody changed the list.`,
  operands: {},
  options: { sign: text('FILE', 'signs with the private key in this PEM file') },
  examples: [
    'refold heads > heads.txt',
    'refold heads --sign private.pem > heads.txt',
    'refold verify --heads heads.txt --key public.pem',
  ],
  run: async ({ options: { sign }, place, terminal }) => {
    const pem = sign === undefined ? undefined : await readNamed(sign, place, terminal)
    return useLog(place, async (store) => {
      const { headsFile, parseSessionStream, signHeads, sortedHeads, systemSource } = await import('@refold/engine')
      const verified = await verifying(store, terminal)
      const { firstBreak } = verified
      if (firstBreak !== null)
        return {
          exit: exitCode.unreadable,
          json: { error: { code: 'store-damaged', message: firstBreak.message, firstBreak: breakJson(firstBreak) } },
          people: () => firstBreak.message,
        }
      const own = verified.heads.filter(({ stream }) => parseSessionStream(stream)?.namespace === place.namespace)
      const { logId } = await store.logHead()
      const unsigned = { logId, at: systemSource.now(), heads: sortedHeads(own) }
      const list =
        pem === undefined ? { ...unsigned, signature: null } : await useKey(sign ?? '', () => signHeads(unsigned, pem))
      return {
        json: {
          log: logId,
          at: isoTime(list.at),
          heads: list.heads.map(({ stream, revision, hash }) => ({
            session: parseSessionStream(stream)?.session,
            stream,
            revision,
            hash,
          })),
          signature: list.signature,
        },
        people: () => headsFile(list).slice(0, -1),
      }
    })
  },
})

export default heads
