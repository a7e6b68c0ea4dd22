// Reads the market data of a file with bad rows left out, and says what came of it, what processor time that took, its start included, and what memory.

import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'

let rows = 0
let told = ''
try {
  const feed = await openFeed({ path: process.argv[2] as string, onBadRow: 'skip' })
  for await (const _ of feed);
  const summary = feed.summary()
  rows = summary.rows + summary.skipped
} catch (error) {
  told = `${(error as Error).name}: ${(error as Error).message}`
}
const { user, system } = process.cpuUsage()
const { maxRSS } = process.resourceUsage()
process.stdout.write(JSON.stringify({ rows, told, ms: (user + system) / 1000, mib: maxRSS / 1024 }))
