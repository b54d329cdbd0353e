import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GroupCommit, type GroupTransaction } from '../../../packages/engine/src/stores/sqlite/group-commit.ts'

/** A log that is only a list of words, and a note of what was done to it. */
class RecordedTransaction implements GroupTransaction<string[]> {
  readonly committed: string[] = []
  readonly groups: number[] = []
  readonly savepoints: boolean[] = []
  busyTimes = 0
  beginning: Error | undefined
  committing: Error | undefined
  #written: string[] = []
  #piece: string[] = []
  #pieces = 0

  begin(): boolean {
    if (this.beginning) throw this.beginning
    this.#written = []
    this.#pieces = 0
    this.busyTimes -= 1
    return this.busyTimes < 0
  }

  open(needsSavepoint: boolean): { readonly log: string[]; readonly end: () => void } {
    this.savepoints.push(needsSavepoint)
    this.#piece = []
    this.#pieces += 1
    return { log: this.#piece, end: () => this.#written.push(...this.#piece) }
  }

  undoPiece(): void {
    this.#piece.length = 0
  }

  abandon(): void {
    this.#written = []
  }

  commit(): boolean {
    this.groups.push(this.#pieces)
    if (this.committing) throw this.committing
    this.committed.push(...this.#written)
    return this.#written.length > 0
  }
}

function queue(waitMs = 1_000): {
  readonly transaction: RecordedTransaction
  readonly group: GroupCommit<string[]>
  readonly heard: string[][]
} {
  const transaction = new RecordedTransaction()
  const heard: string[][] = []
  const group = new GroupCommit(transaction, {
    waitMs,
    pauseBefore: () => 1,
    busy: () => new Error('busy'),
    onCommit: () => heard.push([...transaction.committed]),
  })
  return { transaction, group, heard }
}

const write = (word: string) => (log: string[]) => {
  log.push(word)
  return word.toUpperCase()
}

const failing = (log: string[]): string => {
  log.push('never')
  throw new Error('mine')
}

test('all work of one turn shares one commit, in the order in which it was submitted', async () => {
  const { transaction, group, heard } = queue()
  const answers = await Promise.all(['a', 'b', 'c'].map((word) => group.submit(write(word))))
  expect(answers).toEqual(['A', 'B', 'C'])
  expect(transaction.committed).toEqual(['a', 'b', 'c'])
  expect(transaction.groups).toEqual([3])
  expect(heard).toEqual([['a', 'b', 'c']])
})

test('a group has at most 256 pieces, so that other processes get their turn', async () => {
  const { transaction, group } = queue()
  await Promise.all(Array.from({ length: 600 }, (_, index) => group.submit(write(`${index}`))))
  expect(transaction.groups).toEqual([256, 256, 88])
  expect(transaction.committed).toHaveLength(600)
})

test('nobody is answered before the commit', async () => {
  const { transaction, group } = queue()
  transaction.busyTimes = 5
  const seen: number[] = []
  await Promise.all([
    group.submit(write('a')).then(() => seen.push(transaction.committed.length)),
    group.submit(write('b')).then(() => seen.push(transaction.committed.length)),
  ])
  expect(seen).toEqual([2, 2])
})

test('a commit that fails rejects every caller of its group, also one that only read', async () => {
  const { transaction, group, heard } = queue()
  transaction.committing = new Error('disk full')
  const outcomes = await Promise.allSettled([group.submit(write('a')), group.submit(() => 'read only')])
  expect(outcomes).toMatchObject([{ reason: new Error('disk full') }, { reason: new Error('disk full') }])
  expect(heard).toEqual([])
  transaction.committing = undefined
  expect(await group.submit(write('b'))).toBe('B')
  expect(transaction.committed).toEqual(['b'])
})

test('work that throws rejects its own caller alone and leaves nothing', async () => {
  const { transaction, group } = queue()
  const outcomes = await Promise.allSettled([group.submit(write('a')), group.submit(failing), group.submit(write('b'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(transaction.committed).toEqual(['a', 'b'])
})

test('a lock that does not come free is given up after the stated time, each piece by its own', async () => {
  const { transaction, group } = queue(30)
  transaction.busyTimes = Number.MAX_SAFE_INTEGER
  await expect(group.submit(write('a'))).rejects.toThrow('busy')
  transaction.busyTimes = 0
  expect(await group.submit(write('b'))).toBe('B')
})

test('an error that waiting does not cure is told at once to all who wait', async () => {
  const { transaction, group } = queue()
  transaction.beginning = new Error('replaced')
  const outcomes = await Promise.allSettled([group.submit(write('a')), group.submit(write('b'))])
  expect(outcomes).toMatchObject([{ reason: new Error('replaced') }, { reason: new Error('replaced') }])
})

test('work that wrote nothing is nothing to hear of', async () => {
  const { group, heard } = queue()
  expect(await group.submit(() => 'looked')).toBe('looked')
  expect(heard).toEqual([])
})

test('drained waits for all that was submitted, and for what that submits', async () => {
  const { transaction, group } = queue()
  const first = group.submit(write('a')).then(() => group.submit(write('b')))
  await group.drained()
  await first
  expect(transaction.committed).toEqual(['a', 'b'])
  await sleep(0)
  await group.drained()
})

test('only work among others that may fail after it wrote gets a savepoint', async () => {
  const { transaction, group } = queue()
  await group.submit(write('alone'))
  expect(transaction.savepoints).toEqual([false])
  await Promise.all([
    group.submit(write('a')),
    group.submit(write('b'), { failsLate: false }),
    group.submit(write('c')),
  ])
  expect(transaction.savepoints).toEqual([false, true, false, true])
})
