import type { CommandGroup } from '../command.ts'
import { routeBind } from './route-bind.ts'
import { routeRelease } from './route-release.ts'
import { routeResolve } from './route-resolve.ts'

const route: CommandGroup = {
  description:
    'Outside addresses (a chat, a thread, a tab) that lead to a session. Each binding raises the generation.',
  members: {
    bind: { summary: 'makes an address lead to a session', command: routeBind },
    release: { summary: 'takes it away', command: routeRelease },
    resolve: { summary: 'says where it leads', command: routeResolve },
  },
}

export default route
