#!/usr/bin/env node
import { homedir } from 'node:os'
import { Interrupted } from './place/interruptible.ts'
import { run } from './run.ts'
import { version } from './version.ts'

try {
  process.exitCode = await run(process.argv.slice(2), {
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    environment: process.env,
    platform: process.platform,
    home: homedir(),
    workingFolder: process.cwd(),
    version: version(),
  })
} catch (error) {
  if (!(error instanceof Interrupted)) throw error
  process.stderr.write(`refold: ${error.message}\n`)
  process.kill(process.pid, error.signal) // ends by the signal itself, which is what shells and parents look for
}
