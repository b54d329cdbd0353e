import type { CommandGroup } from '../command.ts'
import { delegateReport } from './delegate-report.ts'
import { delegateSpawn } from './delegate-spawn.ts'

const delegate: CommandGroup = {
  description: 'Sessions that work for another: subagents, side tasks.',
  members: {
    spawn: { summary: 'starts one', command: delegateSpawn },
    report: { summary: 'brings its result to the session it works for', command: delegateReport },
  },
}

export default delegate
