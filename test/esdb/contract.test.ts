import { afterAll, beforeAll, describe } from 'vitest'
import { eventStoreDB } from '@refold/eventstoredb'
import { eventStoreContract } from '../engine/contract/event-store-suite.ts'
import { FakeNode } from './fake/fake-node.ts'

const real = process.env['REFOLD_ESDB']

describe.each([
  ['batch append', true],
  ['one call an append', false],
] as const)(`${real === undefined ? 'a node in memory' : 'a real node'}, %s`, (name, batchAppend) => {
  let node: FakeNode | undefined
  beforeAll(async () => {
    if (real === undefined) node = await FakeNode.start({ batchAppend })
  })
  afterAll(async () => {
    await node?.stop()
  })
  eventStoreContract(`EventStoreDB, ${name}`, () => eventStoreDB(real ?? node?.connectionString ?? ''))
})
