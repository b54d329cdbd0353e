import { describe, expect, test } from 'vitest'
import { contextLinesOf, facadeWorld, linesOf, startIn, sure } from '../../support/facade-world.ts'
import type { Engine, MessageInput, SessionHandle } from '@refold/engine'

const says = (id: string, text: string): MessageInput => ({ id, role: 'assistant', text })
const grows = (id: string, partial: number, text: string): MessageInput => ({ ...says(id, text), partial })

/** A session whose answer grows, and a branch that begins with what there is of it. */
async function branchedWhileGrowing(): Promise<{
  readonly engine: Engine
  readonly origin: SessionHandle
  readonly branch: SessionHandle
}> {
  const { engine } = await facadeWorld()
  const origin = await startIn(engine)
  sure(await origin.append({ id: 'q', role: 'user', text: 'why?' }))
  sure(await origin.append([grows('a', 1, 'Be'), grows('a', 3, 'Because')]))
  const branch = sure(await origin.branch({ from: 'a', id: 'b' })).handle
  return { engine, origin, branch }
}

const stateOf = async (session: SessionHandle, id: string): Promise<string | undefined> => {
  const { entries } = sure(await session.transcript())
  const found = entries.find((entry) => entry.id === id)
  return found?.kind === 'message' ? found.state : undefined
}

describe('an answer that a branch inherits unfinished', () => {
  test('is finished there for the branch alone', async () => {
    const { origin, branch } = await branchedWhileGrowing()
    expect(sure(await branch.append(says('a', 'Because of the branch'))).appended).toBe(1)
    expect(await linesOf(branch)).toEqual(['q: why?', 'a: Because of the branch'])
    expect(await contextLinesOf(branch)).toEqual(['q: why?', 'a: Because of the branch'])
    expect(await stateOf(branch, 'a')).toBe('complete')
    expect(await linesOf(origin)).toEqual(['q: why?', 'a: Because'])
    expect(await stateOf(origin, 'a')).toBe('partial')
    sure(await origin.append(says('a', 'Because of the origin')))
    expect(await linesOf(branch)).toEqual(['q: why?', 'a: Because of the branch'])
    expect(await linesOf(origin)).toEqual(['q: why?', 'a: Because of the origin'])
  })

  test('can be edited and pruned once it is finished there', async () => {
    const { branch } = await branchedWhileGrowing()
    expect(await branch.edit('a', { text: 'too early' })).toMatchObject({ code: 'message-not-found' })
    sure(await branch.append(says('a', 'Because of the branch')))
    sure(await branch.edit('a', { text: 'edited' }))
    expect(await linesOf(branch)).toEqual(['q: why?', 'a: edited'])
  })

  test('grows on there, and what was inherited of it is there already', async () => {
    const { branch } = await branchedWhileGrowing()
    expect(sure(await branch.append([grows('a', 1, 'Be'), grows('a', 3, 'Because')])).appended).toBe(0)
    expect(await branch.append(grows('a', 3, 'Otherwise'))).toMatchObject({ code: 'message-conflict' })
    expect(sure(await branch.append(grows('a', 4, 'Because of'))).appended).toBe(1)
    expect(await linesOf(branch)).toEqual(['q: why?', 'a: Because of'])
    expect(await stateOf(branch, 'a')).toBe('partial')
    expect(sure(await branch.append(grows('a', 4, 'Because of'))).appended).toBe(0)
  })

  test('can be rewound to and branched from', async () => {
    const { branch } = await branchedWhileGrowing()
    sure(await branch.append([says('a', 'Because of the branch'), says('more', 'more')]))
    sure(await branch.rewind({ to: 'a' }))
    const third = sure(await branch.branch({ from: 'a', id: 'c' })).handle
    expect(await linesOf(third)).toEqual(['q: why?', 'a: Because of the branch'])
    expect(sure(await third.append(says('a', 'Because of the branch'))).alreadyThere).toBe(1)
    sure(await third.edit('a', { text: 'edited' }))
    expect(await linesOf(branch)).toEqual(['q: why?', 'a: Because of the branch'])
  })

  test('stays beside the summary that covered it', async () => {
    const { engine } = await facadeWorld()
    const origin = await startIn(engine)
    sure(await origin.append([grows('a', 1, 'Because of '.repeat(40)), says('next', 'and so on '.repeat(40))]))
    const { revision, digest } = sure(await origin.context())
    sure(await origin.compact({ base: revision, watermark: revision, held: digest, summary: 'S' }))
    sure(await origin.append({ id: 'q', role: 'user', text: 'what?' }))
    const branch = sure(await origin.branch({ from: 'q', id: 'b' })).handle
    expect(await contextLinesOf(branch)).toEqual(await contextLinesOf(origin))
    sure(await branch.append(says('a', 'Because.')))
    expect(await contextLinesOf(branch)).toEqual([expect.stringMatching(/^summary: S/), 'a: Because.', 'q: what?'])
    expect(await contextLinesOf(origin)).not.toContain('a: Because.')
  })
})

test('an answer finished behind the message that a branch begins with is there, finished', async () => {
  const { engine } = await facadeWorld()
  const origin = await startIn(engine)
  sure(await origin.append([grows('a', 1, 'Be'), { id: 'q', role: 'user', text: 'and?' }, says('a', 'Because')]))
  const branch = sure(await origin.branch({ from: 'q', id: 'b' })).handle
  expect(await linesOf(branch)).toEqual(['a: Because', 'q: and?'])
  expect(sure(await branch.append(says('a', 'Because'))).alreadyThere).toBe(1)
  expect(await branch.append(says('a', 'Otherwise'))).toMatchObject({ code: 'message-conflict' })
  sure(await branch.edit('a', { text: 'edited' }))
  expect(await linesOf(branch)).toEqual(['a: edited', 'q: and?'])
})

test('a message of a later time cannot begin a branch as of an earlier one', async () => {
  const { engine } = await facadeWorld()
  const origin = await startIn(engine)
  const { revision } = sure(await origin.append(says('a', 'one')))
  sure(await origin.append(says('b', 'two')))
  expect(await origin.branch({ from: 'b', asOf: revision })).toMatchObject({ code: 'message-not-found' })
  expect(sure(await origin.branch({ from: 'a', asOf: revision, id: 'c' })).ok).toBe(true)
})
