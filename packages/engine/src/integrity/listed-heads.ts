import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'

/** Where a stream ended when the list was made. */
export interface ListedHead {
  readonly stream: string
  readonly revision: number
  readonly hash: string
}

/** A list of heads: what a log held, said in a few bytes a stream, so that a lost end is noticed later. */
export interface HeadsList {
  readonly logId: string
  /** Epoch milliseconds of the making. */
  readonly at: number
  /** In the order of their names' UTF-16 code units. */
  readonly heads: readonly ListedHead[]
  /** Base64 of the Ed25519 signature over the list's text; null where it has none. */
  readonly signature: string | null
}

const FIRST_LINE = 'refold-heads 1'
const SIGNATURE = 'signature ed25519 '

/**
 * The text that is signed, in UTF-8: five kinds of line, each ended by a line feed. `refold-heads 1`, `log ID`, `time ISO8601`,
 * `streams COUNT`, and for each stream `HASH REVISION NAME`.
 */
export function headsText({ logId, at, heads }: Omit<HeadsList, 'signature'>): string {
  const lines = [FIRST_LINE, `log ${logId}`, `time ${new Date(at).toISOString()}`, `streams ${heads.length}`]
  for (const { stream, revision, hash } of heads) lines.push(`${hash} ${revision} ${stream}`)
  return `${lines.join('\n')}\n`
}

/** The text and, in a last line, its signature. */
export function headsFile(list: HeadsList): string {
  return headsText(list) + (list.signature === null ? '' : `${SIGNATURE}${list.signature}\n`)
}

/** What is wrong with a key or with a list of heads, in words that follow its name. */
export class BadHeads extends Error {
  override readonly name = 'BadHeads'
  readonly code: 'bad-heads' | 'bad-key' | 'bad-signature'

  constructor(code: BadHeads['code'], problem: string, options?: ErrorOptions) {
    super(problem, options)
    this.code = code
  }
}

export function sortedHeads(heads: readonly ListedHead[]): readonly ListedHead[] {
  return heads.toSorted((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : 0))
}

/** `pem`: a private Ed25519 key, as `openssl genpkey -algorithm ed25519` makes it. Throws {@link BadHeads}. */
export function signHeads(list: Omit<HeadsList, 'signature'>, pem: string): HeadsList {
  const key = keyOf(() => createPrivateKey(pem), 'a private')
  return { ...list, signature: sign(null, Buffer.from(headsText(list)), key).toString('base64') }
}

/** Throws {@link BadHeads} unless the list carries a signature by the owner of this public (or private) key. */
export function checkSignature(list: HeadsList, pem: string): void {
  const key = keyOf(() => createPublicKey(pem), 'a public')
  if (list.signature === null) throw new BadHeads('bad-signature', 'has no signature')
  if (!verify(null, Buffer.from(headsText(list)), key, Buffer.from(list.signature, 'base64')))
    throw new BadHeads('bad-signature', 'was not signed with this key, or was changed since')
}

function keyOf(read: () => KeyObject, which: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (cause) {
    throw new BadHeads('bad-key', `is not ${which} key in PEM`, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new BadHeads('bad-key', `is not ${which} Ed25519 key`)
  return key
}

/** Reads what {@link headsFile} wrote, byte for byte. Throws {@link BadHeads} naming the line. */
export function parseHeads(text: string): HeadsList {
  const lines = text.split('\n')
  const line = (at: number, form: RegExp, what: string): RegExpExecArray => {
    const found = form.exec(lines[at] ?? '')
    if (!found) throw new BadHeads('bad-heads', `is no list of heads: line ${at + 1} should be ${what}`)
    return found
  }
  line(0, /^refold-heads 1$/, `\`${FIRST_LINE}\``)
  const [, logId = ''] = line(1, /^log ([0-9a-f]+)$/, 'the log')
  const [, time = ''] = line(2, /^time (\S+)$/, 'the time')
  const count = Number(line(3, /^streams (\d{1,10})$/, 'the number of streams')[1])
  const heads: ListedHead[] = []
  for (let n = 0; n < count; n += 1) {
    const [, hash = '', revision = '', stream = ''] = line(4 + n, /^([0-9a-f]{64}) (\d{1,15}) (.+)$/, 'a head')
    heads.push({ stream, revision: Number(revision), hash })
  }
  const isSigned = (lines[4 + count] ?? '') !== ''
  const signature = isSigned
    ? (line(4 + count, /^signature ed25519 ([A-Za-z0-9+/]{86}==)$/, 'the signature, or nothing')[1] ?? null)
    : null
  const list = { logId, at: Date.parse(time), heads, signature }
  if (Number.isNaN(list.at) || headsFile(list) !== text)
    throw new BadHeads('bad-heads', 'is no list of heads: it is not written as one is')
  return list
}
