import { expect, test } from 'vitest'
import { headOf, type Part } from '@refold/events'
import { repairCalls, type ContextMessage } from '@refold/projections'

const message = (id: string, role: string, ...parts: readonly Part[]): ContextMessage => ({
  role,
  parts,
  standsFor: 'message',
  id,
})
const call = (id: string): Part => ({ type: 'tool-call', id, name: 'bash', arguments: {} })
const result = (toolCallId: string, text = 'out'): Part => ({ type: 'tool-result', toolCallId, text })
const words = (text: string): Part => ({ type: 'text', text })

const inShort = (messages: readonly ContextMessage[]): readonly string[] =>
  repairCalls(messages).map(({ role, parts, repair }) =>
    [
      repair === true ? 'repair' : role,
      ...parts.map((part) => {
        if (part.type === 'tool-call') return `call ${part.id}`
        if (part.type === 'tool-result') return `result ${part.toolCallId}`
        return part.type === 'text' ? headOf(part.text) : part.type
      }),
    ].join(' '),
  )

test('what is paired already stays as it is', () => {
  const messages = [
    message('1', 'assistant', call('a'), call('b')),
    message('2', 'tool', result('b')),
    message('3', 'tool', result('a')),
  ]
  expect(repairCalls(messages)).toEqual(messages)
})

test('an unanswered call at the very end waits, and gets its stand-in once something follows, for ever the same', () => {
  const open = [message('1', 'assistant', call('a'), call('b')), message('2', 'tool', result('a'))]
  expect(inShort(open)).toEqual(['assistant call a call b', 'tool result a'])
  const followed = [...open, message('3', 'user', words('go on'))]
  const repaired = ['assistant call a call b', 'tool result a', 'repair result b', 'user go on']
  expect(inShort(followed)).toEqual(repaired)
  expect(inShort([...followed, message('4', 'tool', result('b', 'late'))])).toEqual([
    ...repaired,
    'user [Result of call b]\nlate',
  ])
})

test('the same id in a later call is another call', () => {
  expect(
    inShort([
      message('1', 'assistant', call('a')),
      message('2', 'tool', result('a')),
      message('3', 'assistant', call('a')),
      message('4', 'tool', result('a')),
    ]),
  ).toEqual(['assistant call a', 'tool result a', 'assistant call a', 'tool result a'])
})

test('a second result of one call is left out, and parts no other call from its result', () => {
  expect(
    inShort([
      message('1', 'assistant', call('a'), call('b')),
      message('2', 'tool', result('a')),
      message('3', 'tool', result('a')),
      message('4', 'tool', result('b')),
    ]),
  ).toEqual(['assistant call a call b', 'tool result a', 'tool result b'])
})

test('a result without a call becomes words', () => {
  expect(inShort([message('1', 'tool', result('x', 'found it'))])).toEqual(['user [Result of call x]\nfound it'])
})

test('42: words of a person beside results stay, and close what is open', () => {
  expect(
    inShort([message('1', 'assistant', call('a'), call('b')), message('2', 'user', result('a'), words('stop'))]),
  ).toEqual(['assistant call a call b', 'repair result b', 'user result a stop'])
})

test('calls that a message answers itself are paired within it', () => {
  expect(
    inShort([message('1', 'assistant', call('a'), result('a'), words('done')), message('2', 'user', words('ok'))]),
  ).toEqual(['assistant call a result a done', 'user ok'])
})

test('43: a message without parts stays', () => {
  expect(inShort([message('1', 'assistant'), message('2', 'assistant', { type: 'reasoning', text: 'hm' })])).toEqual([
    'assistant',
    'assistant reasoning',
  ])
})
