import { expect, test } from 'vitest'
import { store } from '../cli/call.ts'

test('a day that its month does not have is no time', async () => {
  const { refold } = store()
  await refold(['start', '--id', 's1'])
  for (const day of ['2026-02-30', '2023-02-29T10:00:00Z', '2026-04-31', '2026-13-01', '2026-00-10', '1900-02-29']) {
    expect(await refold(['show', 's1', '--at', day], { exit: 2 }), day).toMatchObject({ error: { code: 'usage' } })
    expect(await refold(['replay', '--until', day], { exit: 2 }), day).toMatchObject({ error: { code: 'usage' } })
    const input = `${JSON.stringify({ id: 'm', role: 'user', text: 't', at: day })}\n`
    expect(await refold(['append', 's1'], { input, exit: 1 }), day).toMatchObject({ error: { code: 'bad-line' } })
  }
  for (const day of ['2024-02-29', '2000-02-29T23:59:59.999+02:00', '2026-12-31'])
    expect(await refold(['show', 's1', '--at', day]), day).toMatchObject({ session: 's1' })
})
