export const lines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('')

export const question = { id: 'm1', role: 'user', text: 'Why does the sensor fail?', at: '2026-06-19T13:11:10Z' }
export const look = {
  id: 'm2',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'Look first.' },
    { type: 'text', text: 'I will look.' },
    { type: 'tool-call', id: 'call_1', name: 'bash', arguments: { command: 'dmesg' } },
  ],
}
export const seen = { id: 'm3', role: 'tool', toolCallId: 'call_1', text: 'no answer to IDENTIFY\n'.repeat(200) }
export const finding = { id: 'm4', role: 'assistant', text: 'It does not answer.' }
