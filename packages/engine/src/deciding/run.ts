import type { EventStore, LogReader } from '@refold/events'
import type { Ask, Reading } from './reading.ts'
import type { States } from './states.ts'

/** Runs a reading to its end inside a transaction. */
export function runSync<T>(reading: Reading<T>, log: LogReader, states: States): T {
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value
    answer(step.value)
  }

  function answer(ask: Ask): void {
    switch (ask.kind) {
      case 'session':
        return ask.reply(runSync(states.sessions.load(ask.stream), log, states))
      case 'claim':
        return ask.reply(runSync(states.claims.load(ask.stream), log, states))
      case 'head':
        return ask.reply(log.head(ask.stream))
      case 'find':
        return ask.reply(log.find(ask.stream, ask.eventId))
      case 'events':
        return ask.reply(log.read(ask.stream, ask.range))
      default:
        return ask satisfies never
    }
  }
}

/** Runs a reading to its end over a store that answers later. Reads are not of one moment: the append's expected revisions decide. */
export async function runAsync<T>(reading: Reading<T>, store: EventStore, states: States): Promise<T> {
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value
    await answer(step.value)
  }

  async function answer(ask: Ask): Promise<void> {
    switch (ask.kind) {
      case 'session':
        return ask.reply(await runAsync(states.sessions.load(ask.stream), store, states))
      case 'claim':
        return ask.reply(await runAsync(states.claims.load(ask.stream), store, states))
      case 'head':
        return ask.reply(await store.head(ask.stream))
      case 'find':
        return ask.reply(await store.find(ask.stream, ask.eventId))
      case 'events':
        return ask.reply(await store.readStream(ask.stream, ask.range))
      default:
        return ask satisfies never
    }
  }
}
