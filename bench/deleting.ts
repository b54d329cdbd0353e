import type { SessionHandle } from '@refold/engine'
import { under, type Line } from './line.ts'
import { seconds } from './measure.ts'
import { openBench, taken } from './opened.ts'

const DELEGATES = 365
const LEVELS = 79

/** Plan and delete of one session whose delegates go 79 levels deep. */
export async function measureDeleting(folder: string): Promise<readonly Line[]> {
  const { engine, catchUp, close } = await openBench(folder, 'deleting', async () => undefined, 'disk')
  const seed = taken(await engine.start({ id: 'seed' })).handle
  const chain: SessionHandle[] = [seed]
  for (let n = 0; n < DELEGATES; n++) {
    const parent = n < LEVELS ? chain.at(-1) : chain[n % chain.length]
    if (!parent) throw new Error('There is no parent.')
    const { handle } = taken(await parent.spawn({ id: `delegate-${n}`, task: 'look into it' }))
    if (n < LEVELS) chain.push(handle)
  }
  await catchUp()
  const planning = await seconds(async () => taken(await engine.deletionPlan(['seed'])))
  let gone = 0
  const deleting = await seconds(async () => {
    const answer = taken(await engine.delete(['seed']))
    gone = answer.deletes.length
  })
  await close()
  if (gone < DELEGATES) throw new Error(`Only ${gone} sessions went.`)
  return [under(`plan and delete of ${DELEGATES} delegates, ${LEVELS} levels deep`, planning + deleting, 1, 's')]
}
