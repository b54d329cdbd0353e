import { defineConfig } from 'vitest/config'

const conditions = ['refold-source', 'node', 'import', 'default']

/** The long run alone; `npm run test:long`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ['test/worlds/*.long.ts'], pool: 'forks' },
})
