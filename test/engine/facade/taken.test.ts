import { describe, expect, expectTypeOf, test } from 'vitest'
import { isRefusal, RefusedError, taken, type ContextView, type SessionHandle } from '@refold/engine'
import { facadeWorld, linesOf } from '../../support/facade-world.ts'

describe('for programs that would rather catch than look', () => {
  test('what was taken comes back as it is, from commands and from reads', async () => {
    const { engine } = await facadeWorld()
    const { handle, revision } = taken(await engine.start({ id: 's' }))
    expect([handle.id, revision]).toEqual(['s', 0])
    const context = taken(await handle.context())
    expectTypeOf(context).toEqualTypeOf<ContextView>()
    expect(context.messages).toEqual([])
    expect(taken(await engine.list()).total).toBe(1)
  })

  test('what was refused is thrown with its code, fields and message', async () => {
    const { engine } = await facadeWorld()
    const refusal = await engine.session('nobody')
    expect(isRefusal(refusal)).toBe(true)
    expect(() => taken(refusal)).toThrow(RefusedError)
    expect(() => taken(refusal)).toThrow('No session is called "nobody".')
    try {
      taken(refusal)
    } catch (problem) {
      expect(problem).toMatchObject({ refusal: { ok: false, code: 'session-not-found', name: 'nobody' } })
    }
  })

  test('a page that was read is no refusal', async () => {
    const { engine } = await facadeWorld()
    const { handle } = taken(await engine.start())
    expect(isRefusal(await handle.transcript())).toBe(false)
  })
})

describe('a session that another one starts', () => {
  test('comes with its handle: a branch, a delegate, and those of a private session', async () => {
    const { engine } = await facadeWorld()
    const { handle } = taken(await engine.start())
    taken(await handle.append({ id: 'm1', role: 'user', text: 'Hello' }))
    const branch = taken(await handle.branch({ from: 'm1', id: 'b' }))
    expectTypeOf(branch.handle).toEqualTypeOf<SessionHandle>()
    taken(await branch.handle.append({ id: 'm2', role: 'assistant', text: 'Hi' }))
    expect(await linesOf(branch.handle)).toEqual(['m1: Hello', 'm2: Hi'])
    const delegate = taken(await handle.spawn({ id: 'd' }))
    expect(await delegate.handle.append({ role: 'user', text: 'Look' })).toMatchObject({ session: 'd', unread: 0 })
    const own = taken(await engine.privateSession())
    taken(await own.handle.append({ id: 'p1', role: 'user', text: 'Hush' }))
    const apart = taken(await own.handle.branch({ from: 'p1' }))
    expect(await linesOf(apart.handle)).toEqual(['p1: Hush'])
    expect(await engine.session(apart.session)).toMatchObject({ code: 'session-not-found' })
  })
})
