import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const catalogue = new URL('../../../shared/cases/bug-scenarios.md', import.meta.url)
const counter = fileURLToPath(new URL('../../scripts/count-clauses.mjs', import.meta.url))

test.skipIf(!existsSync(catalogue))(
  'every scenario of the catalogue is replayed or waits, and every clause is asserted (skipped where the catalogue is not beside the checkout)',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [counter]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(stdout).toMatch(/^204 scenarios with \d+ clauses; \d+ replayed, 0 lacking\n$/u)
  },
)
