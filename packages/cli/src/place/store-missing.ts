import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BadInput } from '../input/bad-input.ts'
import { nextCommand } from './next-command.ts'
import type { Place } from './place.ts'

/** There is no store where the command looked; says where one is that was perhaps meant, else how to get one. */
export function storeMissing(place: Place): BadInput {
  const { file, folder } = place
  const quickstarts = join(folder, '.refold', 'refold.db')
  const isThere = quickstarts !== file && existsSync(quickstarts)
  const advice = isThere
    ? 'There is one at .refold/refold.db; name it with --db.'
    : `Name another with --db, or make one: ${nextCommand(place, 'start')}`
  return new BadInput('store-missing', `There is no store at ${file}. ${advice}`, { file })
}
