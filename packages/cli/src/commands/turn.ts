import type { CommandGroup } from '../command.ts'
import { turnEnd } from './turn-end.ts'
import { turnRenew } from './turn-renew.ts'
import { turnStart } from './turn-start.ts'

const turn: CommandGroup = {
  description: `Leases on working at a session: one holder at a time. Each append under the turn renews its lease; when nothing
renews it, another may take over.`,
  members: {
    start: { summary: 'begins to work', command: turnStart },
    renew: { summary: 'says in silence that it still works', command: turnRenew },
    end: { summary: 'has finished', command: turnEnd },
  },
}

export default turn
