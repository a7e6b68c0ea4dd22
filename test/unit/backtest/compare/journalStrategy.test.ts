// The strategy of a journal is made as its run made it: what is not as it was is told, and a page and a table have every fill.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compareLive } from '../../../../src/backtest/compare/compareLive.ts'
import { NO_DIFFERENCE } from '../../../../src/backtest/compare/fillDifference.ts'
import { liveRows } from '../../../../src/backtest/compare/liveRows.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import { strategyFilesOf } from '../../../../src/backtest/replay/journalStrategy.ts'
import { renderLiveComparison } from '../../../../src/backtest/report/liveComparisonReport.ts'
import { LiveRig } from './liveRig.ts'

test('a strategy that is not what ran is told, the page and the table have every fill, and the table adds up', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-strategy-'))
  const rig = await LiveRig.start()
  try {
    const [strategy, helper] = [path.join(folder, 'mine.mjs'), path.join(folder, 'size.mjs')]
    writeFileSync(helper, "export const base = '0.02'\n")
    writeFileSync(
      strategy,
      `import { base } from './size.mjs'
export default function mine({ asset }) {
  return { name: 'mine', async onBar(bar, context) {
    if (context.positions(asset).length === 0) await context.open({ asset, direction: 'short', sizeBy: { base }, leverage: '2' })
  } }
}
`,
    )
    const plan = { strategy, markets: [{ asset: 'BTC' }] }
    const { strategy: mine } = optionsOf(plan, await preparePlan(plan))
    await rig.run(
      mine,
      async () => {
        await rig.price('50010.5')
        await rig.endBar()
        await rig.price('50020.25')
      },
      { plan, files: await strategyFilesOf(plan), onExit: 'flatten' },
    )
    const comparison = await compareLive(rig.file)
    expect(comparison.remainder).toBe(0n)
    expect(comparison.notes).toEqual([])
    expect(comparison.causes).toEqual(NO_DIFFERENCE)
    expect(comparison.rows.map(({ live }) => live?.action)).toEqual(['open', 'close'])
    const table = [...liveRows(comparison.rows)]
    expect(table.map(({ found, ticks, liveOrder }) => [found, ticks, liveOrder !== ''])).toEqual([
      ['matched', 0, true],
      ['matched', 0, true],
    ])
    expect(renderLiveComparison(comparison)).toContain('Where the difference comes from')
    writeFileSync(helper, "export const base = '0.03'\n")
    const changed = await compareLive(rig.file)
    expect(changed.notes).toEqual([
      expect.stringMatching(/size\.mjs: the strategy is not what ran: its SHA-256/),
    ])
    rmSync(strategy)
    await expect(compareLive(rig.file)).rejects.toThrow(/mine\.mjs.*the run read it as seen from the folder/)
  } finally {
    await rig.close()
    rmSync(folder, { recursive: true })
  }
}, 60_000)
