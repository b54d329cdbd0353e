import type { Fields } from './made-store.ts'
import { start, summary } from './made-store.ts'

/** What may happen in a simulated chat. Numbers choose; anything is allowed. */
export type Step =
  | {
      readonly do: 'turn'
      readonly ask: string
      readonly answer: string
      readonly tools: number
      readonly counted: boolean
    }
  | {
      readonly do: 'compact'
      readonly how: 'in place' | 'rotate' | 'fail'
      readonly times: 'now' | 'kept'
      readonly tail: number
      readonly shape: number
      readonly askFirst: boolean
    }
  | { readonly do: 'undo'; readonly turns: number }
  | { readonly do: 'late'; readonly ask: string }
  | { readonly do: 'notice' }

interface Said {
  readonly role: string
  readonly text: string
  readonly calls: readonly string[]
  readonly result: string | null
  time: number
  readonly notice: boolean
  /** The rows that hold it, oldest first. */
  readonly rows: Row[]
  undone: boolean
}

interface Row {
  id: number
  session_id: string
  role: string
  content: string
  timestamp: number
  active: number
  compacted: number
  tool_calls: string | null
  tool_call_id: string | null
  tool_name: string | null
  display_kind: string | null
}

export interface SimulatedChat {
  readonly sessions: readonly Fields[]
  readonly messages: readonly Fields[]
  /** What a person saw, as `role: text`. */
  readonly shown: readonly string[]
}

/**
 * Plays Hermes v0.21: rows are flushed as they are said, a compaction writes head copies, a summary and tail
 * copies, archives what was live, or opens a new session, or fails and leaves both.
 */
export function simulate(steps: readonly Step[]): SimulatedChat {
  let clock = start + 0.0052
  let session = 'seg-0'
  let segments = 1
  let compactions = 0
  let failed = false
  let calls = 0
  const sessions: Record<string, string | number | null>[] = [begun(session, null, clock)]
  const rows: Row[] = []
  const said: Said[] = []
  /** What the agent holds: the messages, and `null` for a summary. */
  let memory: (Said | null)[] = []

  const write = (message: Said, more: Partial<Row> = {}): Row => {
    const row: Row = {
      id: rows.length + 1,
      session_id: session,
      role: message.role,
      content: message.text,
      timestamp: message.time,
      active: 1,
      compacted: 0,
      tool_calls:
        message.calls.length === 0
          ? null
          : JSON.stringify(message.calls.map((id) => ({ id, function: { name: 'run', arguments: '{}' } }))),
      tool_call_id: message.result,
      tool_name: message.result === null ? null : 'run',
      display_kind: message.notice ? 'model_switch' : null,
      ...more,
    }
    rows.push(row)
    message.rows.push(row)
    return row
  }
  const say = (role: string, text: string, more: Partial<Said> = {}, pause = 6): Said => {
    clock += pause + 0.0013
    const message: Said = {
      role,
      text,
      calls: [],
      result: null,
      time: clock,
      notice: false,
      rows: [],
      undone: false,
      ...more,
    }
    said.push(message)
    return message
  }
  const hold = (message: Said): void => {
    write(message)
    memory.push(message)
  }
  const answer = (text: string): void => hold(say('assistant', text))

  const compact = (step: Extract<Step, { do: 'compact' }>): void => {
    const ask = step.askFirst && step.how !== 'fail' ? say('user', 'continue', {}, 40) : null
    if (memory.length < 4) {
      if (ask !== null) hold(ask)
      if (ask !== null) answer('Done.')
      return
    }
    compactions++
    clock += 8
    const talk = memory.filter((message) => message !== null)
    const headSize = compactions === 1 ? Math.min(3, talk.length - 2) : 0
    let from = Math.min(talk.length - 1, Math.max(headSize + 1, talk.length - 1 - (step.tail % talk.length)))
    while (from < talk.length - 1 && talk[from]?.role === 'tool') from++
    if (talk[from]?.role === 'tool') from = talk.length
    while (talk[from - 1]?.notice === true) from--
    const head = talk.slice(0, headSize)
    const tail = talk.slice(Math.max(from, headSize))
    const summaryText = summary.replace('Go on', `Go on ${compactions}`)
    if (step.how === 'in place')
      for (const row of rows)
        if (row.session_id === session && row.active === 1) Object.assign(row, { active: 0, compacted: 1 })
    if (step.how === 'rotate') {
      Object.assign(sessions.at(-1) ?? {}, { ended_at: clock, end_reason: 'compression' })
      const parent = session
      session = `seg-${segments++}`
      sessions.push(begun(session, parent, clock))
    }
    if (step.how === 'fail') failed = true
    let tick = 0
    const at = (message: Said | null): number =>
      step.times === 'kept' && message !== null ? message.time : clock + ++tick / 1_000_000
    const stub = (message: Said): string =>
      message.role === 'tool' && tick % 2 === 0 ? `[run] ${message.text.length} chars` : message.text
    for (const message of head) write(message, { content: stub(message), timestamp: at(message) })
    const [first] = tail
    const leading = first !== undefined && !first.notice && first.role === 'user' && step.shape % 3 === 1
    const merged = first !== undefined && first.role === 'assistant' && step.shape % 3 === 1
    if (first !== undefined && leading)
      write(first, { content: `${summaryText}\n\n${first.text}`, timestamp: at(first) })
    else if (first !== undefined && merged) {
      const content = `[PRIOR CONTEXT — for reference]\n${first.text}\n\n[END OF PRIOR CONTEXT — SUMMARY BELOW]\n\n${summaryText}`
      write(first, { content, timestamp: at(first) })
    } else {
      const role = step.shape % 3 === 2 ? 'assistant' : 'user'
      write({
        role,
        text: summaryText,
        calls: [],
        result: null,
        time: at(null),
        notice: false,
        rows: [],
        undone: false,
      })
    }
    const rest = leading || merged ? tail.slice(1) : tail
    for (let i = 0; i < rest.length; i++) {
      const message = rest[i]
      const next = rest[i + 1]
      if (message === undefined) continue
      if (message.notice && next?.role === 'user') {
        const row = write(message, { content: `${message.text}\n\n${next.text}`, timestamp: at(message) })
        next.rows.push(row)
        i++
      } else write(message, { content: stub(message), timestamp: at(message) })
    }
    memory = [...head, null, ...tail]
    if (ask !== null) {
      ask.time = clock + ++tick / 1_000_000
      write(ask)
      memory.push(ask)
      answer('Done.')
    }
  }

  for (const step of steps) {
    switch (step.do) {
      case 'turn': {
        hold(say('user', step.ask, {}, 40))
        for (let n = 0; n < step.tools; n++) {
          calls++
          const id = step.counted ? `call_${n}` : `call_${String(calls).padStart(20, 'a')}x`
          hold(say('assistant', '', { calls: [id] }))
          hold(say('tool', `output number ${calls} of a tool, which is long enough`, { result: id }, 0))
        }
        answer(step.answer)
        break
      }
      case 'compact':
        compact(step)
        break
      case 'undo': {
        if (failed) break
        for (let n = 0; n < step.turns; n++) {
          const at = memory.findLastIndex((message) => message?.role === 'user' && !message.notice)
          const isHeadOfMerge = memory[at - 1]?.notice === true
          if (
            at < 0 ||
            isHeadOfMerge ||
            memory.slice(at).includes(null) ||
            memory[at]?.rows.at(-1)?.content.includes('CONTEXT') === true
          )
            break
          for (const message of memory.splice(at)) {
            if (message === null) continue
            message.undone = true
            Object.assign(message.rows.at(-1) ?? {}, { active: 0, compacted: 0 })
          }
        }
        break
      }
      case 'late':
        write(say('user', step.ask, {}, 40))
        write(say('assistant', 'Noted late.'))
        break
      case 'notice':
        hold(say('user', `[Model changed to model-${said.length}]`, { notice: true }))
        hold(say('user', 'continue', {}, 40))
        answer('Done.')
        break
    }
  }
  return {
    sessions,
    messages: rows.map((row) => ({ ...row })),
    shown: said.filter((message) => !message.undone && !message.notice).map(({ role, text }) => `${role}: ${text}`),
  }
}

function begun(id: string, parent: string | null, at: number): Record<string, string | number | null> {
  return { id, source: 'cli', started_at: at, ended_at: null, end_reason: null, parent_session_id: parent }
}
