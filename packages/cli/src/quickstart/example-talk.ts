import type { MessageInput } from '@refold/engine'

/** What the delegate reports. */
export const finding = 'Data sheet, page 31: the sensor needs 10 ms after power-up before reset may be released.'

export const started: MessageInput = {
  id: 's5',
  role: 'tool',
  toolCallId: 'call_2',
  text: 'Delegate example-data-sheet has started.',
}

export const delegateTalk: readonly MessageInput[] = [
  { id: 'd1', role: 'user', provenance: 'model', text: 'Find the reset timing in the data sheet.' },
  { id: 'd2', role: 'assistant', text: finding },
]

export const firstTalk: readonly MessageInput[] = [
  { id: 's1', role: 'user', text: 'Why does the fingerprint scanner fail after every cold start?' },
  {
    id: 's2',
    role: 'assistant',
    text: 'I will look at what the driver logs.',
    toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'dmesg | grep fp_sensor' } }],
  },
  {
    id: 's3',
    role: 'tool',
    toolCallId: 'call_1',
    text: [
      '[    1.204] fp_sensor spi0.1: power on',
      '[    1.206] fp_sensor spi0.1: reset released',
      '[    1.207] fp_sensor spi0.1: no answer to IDENTIFY (-110)',
      '[    1.311] fp_sensor spi0.1: giving up after 3 tries',
    ].join('\n'),
  },
  {
    id: 's4',
    role: 'assistant',
    text: 'It does not answer 3 ms after power-up. Either reset is released too early, or its interrupt is lost. I will have the data sheet read.',
    toolCalls: [{ id: 'call_2', name: 'delegate', arguments: { task: 'Find the reset timing in the data sheet' } }],
  },
]

export const secondTalk: readonly MessageInput[] = [
  {
    id: 's6',
    role: 'assistant',
    text: 'Then 2 ms are too short: the driver has to wait 10 ms before it releases reset.',
  },
  { id: 's7', role: 'user', text: 'Change it, please.' },
  { id: 's8', role: 'assistant', text: 'Done: `msleep(10)` before `gpiod_set_value(reset, 0)` in `fp_power_up`.' },
]

export const thirdTalk: readonly MessageInput[] = [
  { id: 's9', role: 'user', text: 'Twenty cold starts, no failure. Thanks!' },
  { id: 's10', role: 'assistant', text: 'Good. I would keep the log line, so that a slower sensor is noticed.' },
]

export const branchTalk: readonly MessageInput[] = [
  { id: 'b1', role: 'user', text: 'Suppose it is the interrupt: how would we see that?' },
  {
    id: 'b2',
    role: 'assistant',
    text: '`/proc/interrupts` would stay at 0 for fp_sensor while the line toggles on a scope.',
  },
]

export const notesTalk: readonly MessageInput[] = [
  { id: 'n1', role: 'user', text: 'Write a line on the scanner for the release notes.' },
  { id: 'n2', role: 'assistant', text: 'Fixed: the fingerprint scanner is found after a cold start (指紋センサー).' },
]
