/** What a comparison shows as tables: of saved runs, and of a live run beside its backtest. */
import type { LiveComparison } from '../backtest/compare/compareLive.ts'
import type { RunComparison } from '../backtest/compare/compareRuns.ts'
import { FIGURES } from '../backtest/compare/figures.ts'
import { CAUSES, type Cause } from '../backtest/compare/fillDifference.ts'
import { liveRows } from '../backtest/compare/liveRows.ts'
import type { SavedTrade } from '../backtest/compare/savedRun.ts'
import { formatInstant } from '../projections/wire.ts'
import { formatDecimal } from '../quantity/decimal.ts'

type Tables = Readonly<Record<string, readonly object[]>>

/** A column for each run, under the place it was read from: what is set otherwise, figures, equity, and trades that differ. */
export function comparedTables({ runs, settings, figures, trades }: RunComparison): Tables {
  const byRun = <T>(values: readonly T[], cell: (value: T) => unknown = (value) => value) =>
    Object.fromEntries(runs.map(({ place }, run) => [place, cell(values[run] as T)]))
  return {
    settings: (settings ?? []).map(({ name, values }) => ({ setting: name, ...byRun(values) })),
    figures: [
      { figure: 'evaluation', unit: '', ...byRun(runs.map(({ outcome }) => outcome)) },
      ...figures.map(({ name, values }) => ({
        figure: name,
        unit: FIGURES[name].unit,
        ...byRun(values, (value) => (typeof value === 'bigint' ? formatDecimal(value) : value)),
      })),
    ],
    equity: runs.flatMap(({ place, curve: { time, equity } }) =>
      time.map((second, point) => ({ run: place, at: formatInstant(second * 1_000), equity: equity[point] })),
    ),
    trades: trades.flatMap(({ asset, side, openedAt, trades: own }, pair) =>
      own.flatMap((trade, run) =>
        trade === null
          ? []
          : [
              {
                ...{ pair: pair + 1, run: runs[run]?.place, asset, side },
                openedAt: formatInstant(openedAt),
                ...tradeCells(trade),
              },
            ],
      ),
    ),
  }
}

function tradeCells({ closedAt, size, entryPrice, exitPrice, pnl, endedBy }: SavedTrade): object {
  const amounts = { size, entryPrice, exitPrice, pnl }
  const texts = Object.entries(amounts).map(([name, amount]) => [name, formatDecimal(amount)])
  return { closedAt: formatInstant(closedAt), ...Object.fromEntries(texts), endedBy }
}

/** Both sides with their costs, what the difference is made of, and every fill of both. */
export function liveTables(comparison: LiveComparison): Tables {
  const { live, backtest, livePnl, backtestPnl, causes, carried, remainder, rows } = comparison
  const amount = (name: string, one: bigint, other: bigint) => ({
    figure: name,
    ...{ live: formatDecimal(one), backtest: formatDecimal(other), difference: formatDecimal(one - other) },
  })
  const number = (name: string, one: number, other: number) => ({
    ...{ figure: name, live: one, backtest: other, difference: one - other },
  })
  const cause = (name: string, value: bigint) => ({ cause: name, amount: formatDecimal(value) })
  const costs = Object.keys(live.costs) as (keyof typeof live.costs)[]
  return {
    figures: [
      amount('profit', livePnl, backtestPnl),
      number('fills', live.fills, backtest.fills),
      number('trades', live.trades.length, backtest.trades.length),
      number('openPositions', live.openPositions, backtest.openPositions),
      ...costs.map((name) => amount(name, live.costs[name], backtest.costs[name])),
    ],
    causes: [
      ...(Object.keys(CAUSES) as Cause[]).map((name) => cause(name, causes[name])),
      cause('carried', carried),
      cause('notExplained', remainder),
      cause('liveLessBacktest', livePnl - backtestPnl),
    ],
    fills: [...liveRows(rows)],
  }
}
