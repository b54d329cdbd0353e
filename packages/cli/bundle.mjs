import { build } from 'rolldown'

// Hundreds of small modules cost a process more than half of its start; the command is one program, so it is packed into a
// few files. Libraries are not: they stay as `tsc` writes them.
await build({
  cwd: import.meta.dirname,
  input: { main: 'dist/main.js' },
  platform: 'node',
  external: ['better-sqlite3'],
  output: { dir: 'bundle', format: 'esm', cleanDir: true },
})
