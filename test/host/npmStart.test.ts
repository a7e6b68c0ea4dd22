// What `npm start` builds and starts. A copy of the tree without `dist` is built first, which takes as long as it takes.

import { expect, test } from 'vitest'
import { startedBy } from './startedBy.ts'

test('npm start passes its options and its signals on', async () => {
  const { url, stop } = await startedBy({}, 'npm', 'start', '--', '--port', '0')
  expect((await fetch(url)).status).toBe(200)
  expect(await stop('SIGTERM')).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})
