import type { Command, CommandGroup } from './command.ts'

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Loaded when it is called, so that each command starts as fast as its own needs allow. */
  readonly load: () => Promise<{ readonly default: Command | CommandGroup }>
}

/** Every command, in the order of the help. */
export const commandTable: readonly { readonly heading: string; readonly entries: readonly CommandEntry[] }[] = [
  {
    heading: 'First steps:',
    entries: [
      entry('quickstart', "imports this machine's histories and shows them", () => import('./commands/quickstart.ts')),
      entry('import', "reads other programs' histories", () => import('./commands/import.ts')),
    ],
  },
  {
    heading: 'Reading:',
    entries: [
      entry('list', 'the sessions, newest activity first', () => import('./commands/list.ts')),
      entry('show', 'what a person reads of a session', () => import('./commands/show.ts')),
      entry('context', 'what the model is sent next', () => import('./commands/context.ts')),
      entry('lineage', 'segments, branches and delegates around a session', () => import('./commands/lineage.ts')),
      entry('search', 'messages by what they say', () => import('./commands/search.ts')),
      entry('usage', 'tokens and cost', () => import('./commands/usage.ts')),
      entry('schema', 'JSON Schema of every event', () => import('./commands/schema.ts')),
    ],
  },
  {
    heading: 'The past:',
    entries: [
      entry('why', 'everything that touched one message', () => import('./commands/why.ts')),
      entry('diff', 'what changed between two points', () => import('./commands/diff.ts')),
      entry('replay', 'the list as it was', () => import('./commands/replay.ts')),
    ],
  },
  {
    heading: 'Proof and copies:',
    entries: [
      entry('audit', 'every event of a session as a line', () => import('./commands/audit.ts')),
      entry('verify', 'walks the chain of hashes', () => import('./commands/verify.ts')),
      entry('doctor', 'checks log and views against each other', () => import('./commands/doctor.ts')),
      entry('heads', 'where each session ends, signed', () => import('./commands/heads.ts')),
      entry('export', 'sessions into a file', () => import('./commands/export.ts')),
      entry('backup', 'the whole log into a file', () => import('./commands/backup.ts')),
      entry('rebuild', 'views made anew from the log', () => import('./commands/rebuild.ts')),
    ],
  },
  {
    heading: 'Talking:',
    entries: [
      entry('start', 'starts a session', () => import('./commands/start.ts')),
      entry('append', 'adds messages', () => import('./commands/append.ts')),
      entry('edit', 'changes what a message says', () => import('./commands/edit.ts')),
      entry('rewind', 'takes back everything after a message', () => import('./commands/rewind.ts')),
      entry('undo', 'takes back a rewind', () => import('./commands/undo.ts')),
      entry('branch', 'goes another way from a message', () => import('./commands/branch.ts')),
      entry('note', 'writes down what has no event of its own', () => import('./commands/note.ts')),
    ],
  },
  {
    heading: "The model's context:",
    entries: [
      entry('compact', 'puts a summary in the place of messages', () => import('./commands/compact.ts')),
      entry('rotate', 'opens a new segment', () => import('./commands/rotate.ts')),
    ],
  },
  {
    heading: 'Working together:',
    entries: [
      entry('delegate', 'sessions that work for another', () => import('./commands/delegate.ts')),
      entry('turn', 'leases on working at a session', () => import('./commands/turn.ts')),
      entry('route', 'outside addresses that lead to a session', () => import('./commands/route.ts')),
    ],
  },
  {
    heading: 'Keeping order:',
    entries: [
      entry('rename', 'gives a title', () => import('./commands/rename.ts')),
      entry('archive', 'takes a session out of the plain list', () => import('./commands/archive.ts')),
      entry('unarchive', 'puts it back', () => import('./commands/unarchive.ts')),
      entry('pin', 'pins a session', () => import('./commands/pin.ts')),
      entry('unpin', 'unpins it', () => import('./commands/unpin.ts')),
      entry('tag', 'gives a tag', () => import('./commands/tag.ts')),
      entry('untag', 'takes a tag away', () => import('./commands/untag.ts')),
      entry('set', 'changes a setting', () => import('./commands/set.ts')),
      entry('end', 'ends a session', () => import('./commands/end.ts')),
      entry('reopen', 'opens an ended session again', () => import('./commands/reopen.ts')),
      entry('delete', 'deletes sessions and their delegates', () => import('./commands/delete.ts')),
      entry('restore', 'brings deleted ones back', () => import('./commands/restore.ts')),
    ],
  },
]

function entry(name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, load }
}

export function findEntry(name: string): CommandEntry | undefined {
  return commandTable.flatMap(({ entries }) => entries).find((entry) => entry.name === name)
}
