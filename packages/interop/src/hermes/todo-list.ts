const heading = '[Your active task list was preserved across context compression]'

/** A compaction appends the open tasks to the newest ask; what a person said is the text before them. */
export function withoutTodoList(text: string): string {
  if (!text.includes(heading)) return text
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.trim() === heading)
  return at < 0 ? text : lines.slice(0, at).join('\n').trimEnd()
}
