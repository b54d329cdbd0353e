import { expect } from 'vitest'
import { scenario } from './scenario.ts'
import { appendTurns, context, open, rotate, start, stored, sure, transcript } from './words.ts'

scenario('B001', 'a route that points at the old id after a rotation', async (world) => {
  const S = await start(world.first, 'S')
  const route = sure(await S.bindRoute({ route: 'chat 7' }))
  await appendTurns(S, 1, 4)
  sure(await rotate(S, 'S2', { keep: 2 }))
  const byRoute = await open(world.first, 'S')
  const u5 = sure(
    await byRoute.append(
      { id: 'U5', role: 'user', text: 'Through the route.' },
      { route: { route: 'chat 7', generation: route.generation } },
    ),
  )
  await world.clause('U5 is stored once, in the live segment', async () => {
    expect(u5).toMatchObject({ appended: 1, landedIn: 'S2' })
    expect((await transcript(S)).filter((id) => id === 'U5')).toEqual(['U5'])
  })
  await world.clause('model context through R ends with U5', async () => {
    expect((await context(byRoute)).at(-1)).toBe('U5')
  })
  await world.clause('transcript asked for by S or S2 is the same list and contains U5', async () => {
    const bySecond = await open(world.first, 'S2')
    expect(await transcript(bySecond)).toEqual(await transcript(S))
    expect(await transcript(S)).toContain('U5')
  })
  await world.clause('nothing is ever appended to the closed segment', async () => {
    const events = await stored(S)
    const rotated = events.findIndex(({ type }) => type === 'Rotated')
    expect(events.slice(0, rotated).filter(({ type }) => type === 'MessageAppended')).toHaveLength(8)
    expect(u5.landedIn).not.toBe('S')
  })
})
