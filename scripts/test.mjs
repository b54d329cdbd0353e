// Sets nothing up: runs the quick checks, then all tests, and prints as its last line what the test report counted.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command, ...words) => {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'], shell: false })
  return status ?? 1
}

const quick = process.argv.slice(2).length > 0 ? 0 : run('npm', 'run', '--silent', 'check')
if (quick !== 0) process.exit(quick)

const folder = mkdtempSync(join(tmpdir(), 'refold-test-report-'))
const report = join(folder, 'report.json')
const status = run(
  process.execPath,
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
)

let counts
try {
  const read = JSON.parse(readFileSync(report, 'utf8'))
  counts = {
    passed: read.numPassedTests,
    failed: read.numFailedTests,
    skipped: read.numPendingTests + read.numTodoTests,
  }
  // A file that cannot even be loaded has no failed test of its own, and still fails the run.
  if (counts.failed === 0 && !read.success) counts.failed = Math.max(1, read.numFailedTestSuites)
} catch (error) {
  console.error(`The test run left no report: ${error instanceof Error ? error.message : String(error)}`)
  counts = { passed: 0, failed: 1, skipped: 0 }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
)
process.exitCode = status !== 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0
