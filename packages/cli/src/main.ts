#!/usr/bin/env node
import { homedir } from 'node:os'
import { run } from './run.ts'
import { version } from './version.ts'

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
