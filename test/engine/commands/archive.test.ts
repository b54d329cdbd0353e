import { describe, test } from 'vitest'
import type { SessionEvent } from '@refold/events'
import { archive, unarchive } from '../../../packages/engine/src/commands/archive.ts'
import { given, started } from '../../support/command-spec.ts'

const archived = (by: 'person' | 'idle'): SessionEvent => ({ type: 'Archived', data: { by } })
const housekeeping = { actor: { kind: 'housekeeping', id: 'idle rule' } } as const

describe('archive', () => {
  test('archives for a person', () =>
    given([started])
      .when((desk) => archive(desk, 's', {}))
      .writes([archived('person')]))

  test('archives by the idle rule', () =>
    given([started])
      .when((desk) => archive(desk, 's', { by: 'idle' }), housekeeping)
      .writes([archived('idle')]))

  test('a person makes an idle archive lasting', () =>
    given([started, archived('idle')])
      .when((desk) => archive(desk, 's', {}))
      .writes([archived('person')]))

  test('the idle rule does not touch what a person archived', () =>
    given([started, archived('person')])
      .when((desk) => archive(desk, 's', { by: 'idle' }))
      .writesNothing())

  test('housekeeping may not archive in a person’s name', () =>
    given([started])
      .when((desk) => archive(desk, 's', {}), housekeeping)
      .refuses('not-allowed'))
})

describe('unarchive', () => {
  test('brings a session back', () =>
    given([started, archived('person')])
      .when((desk) => unarchive(desk, 's'))
      .writes([{ type: 'Unarchived', data: { by: 'person' } }]))

  test('writes nothing for one that is not archived', () =>
    given([started])
      .when((desk) => unarchive(desk, 's'))
      .writesNothing())

  test('housekeeping may not undo what a person archived', () =>
    given([started, archived('person')])
      .when((desk) => unarchive(desk, 's'), housekeeping)
      .refuses('not-allowed'))
})
