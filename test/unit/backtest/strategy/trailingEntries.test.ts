// A trailing stop that is asked for with an entry is placed as the entry fills, whatever becomes of the order until then.
import { describe, expect, test } from 'vitest'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import type {
  EntryOrder,
  Strategy,
  StrategyContext,
  TrailingStop,
} from '../../../../src/backtest/strategy/strategy.ts'
import { firstTrailingLevel } from '../../../../src/backtest/strategy/trailingEntries.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { type Candle, optionsFor, recorded } from '../report/runs.ts'

const offset = fp9('3')
const LONG = { asset: 'BTC', direction: 'long', sizeBy: { margin: '1000' }, leverage: '5' } as const
const still = (price: number): Candle => [price, price, price, price]

/** Does one thing at the close of each bar, in their order. */
function acting(...steps: readonly ((context: StrategyContext) => unknown)[]): Strategy {
  let bar = 0
  return {
    name: 'acts bar by bar',
    async onBar(_, context) {
      await steps[bar++]?.(context)
    },
  }
}

const opening = (order: Partial<EntryOrder>) => (context: StrategyContext) =>
  context.open({ ...LONG, trailingStop: { offset }, ...order })

describe('a market entry', () => {
  test('comes to the run in which the strategy places the stop itself', async () => {
    const candles: Candle[] = [still(100), [100, 108, 100, 108], [108, 108, 104, 104], still(103)]
    const asked = await runBacktest(optionsFor(candles, acting(opening({}))))
    const placed = await runBacktest(
      optionsFor(
        candles,
        acting(async (context) => {
          await context.open(LONG)
          for (const position of context.positions('BTC'))
            await context.close({ position, type: 'trailing_stop', offset })
        }),
      ),
    )
    expect(asked.stateHash).toBe(placed.stateHash)
    expect(asked.trades).toHaveLength(1)
  })

  test('has its stop among the orders at once', async () => {
    const seen: number[] = []
    const strategy = acting(async (context) => {
      await opening({})(context)
      seen.push(context.orders().filter(({ orderType }) => orderType === 'trailing_stop').length)
    })
    await runBacktest(optionsFor([still(100), still(100)], strategy))
    expect(seen).toEqual([1])
  })
})

describe('a resting entry', () => {
  const limit = { type: 'limit', triggerPrice: fp9('95') } as const
  const falls: Candle[] = [still(100), still(100), still(94), [94, 104, 94, 104], [104, 104, 100, 100]]

  test.each<[string, Strategy, number]>([
    ['is followed once it fills', acting(opening(limit)), 1],
    [
      'is followed when it was edited first',
      acting(opening({ ...limit, triggerPrice: fp9('90') }), async (context) => {
        for (const { id } of context.orders()) await context.edit(id, { triggerPrice: fp9('95') })
      }),
      1,
    ],
    [
      'is followed when it turned into a limit first',
      acting(
        opening({
          direction: 'long',
          type: 'stop_limit',
          triggerPrice: fp9('104'),
          stopLimitPrice: fp9('103'),
        }),
      ),
      1,
    ],
    [
      'leaves no stop when it is cancelled',
      acting(opening(limit), async (context) => {
        for (const { id } of context.orders()) await context.cancel(id)
        await context.open(LONG)
      }),
      0,
    ],
  ])('%s', async (_, strategy, stops) => {
    const { recording, result } = await recorded(optionsFor(falls, strategy))
    const trailing = recording.commits.flatMap(({ command }) =>
      command.type === 'placeOrder' && command.orderType === 'trailing_stop' ? [command] : [],
    )
    expect(recording.fills.filter(({ action }) => action === 'open')).toHaveLength(1)
    expect(trailing).toHaveLength(stops)
    expect(result.rejections).toEqual({})
    if (stops === 0) return
    expect(trailing[0]?.amount).toBe(recording.fills[0]?.size)
    expect(trailing[0]?.trailingStopOffset).toBe(offset)
  })
})

describe('two entries of one position', () => {
  test('are followed each for what it opened', async () => {
    const strategy = acting(opening({}), opening({ trailingStop: { offset: fp9('6') } }))
    const candles: Candle[] = [still(100), still(100), [100, 110, 100, 110], [110, 110, 106, 106], still(103)]
    const { recording } = await recorded(optionsFor(candles, strategy))
    const [first, second, ...closes] = recording.fills
    expect(closes.map(({ action, size }) => [action, size])).toEqual([
      ['reduce', first?.size],
      ['close', second?.size],
    ])
  })
})

describe('what cannot trail', () => {
  const refused = async (trailingStop: TrailingStop) => {
    const run = runBacktest(optionsFor([still(100), still(100)], acting(opening({ trailingStop }))))
    await expect(run).rejects.toThrow(/trailing stop/)
  }

  test('is refused before anything is opened', async () => {
    for (const wrong of [
      {},
      { offset, offsetPercent: '1%' },
      { offset: 0n },
      { offset: -1n },
      { offsetPercent: '100%' },
      { offset, activationPrice: -1n },
    ])
      await refused(wrong)
  })
})

describe('the size by risk', () => {
  const levelOf = (order: Partial<EntryOrder>) => firstTrailingLevel({ ...LONG, ...order }, fp9('100'))

  test('is reckoned to the first level', () => {
    expect(levelOf({ trailingStop: { offset } })).toBe(fp9('97'))
    expect(levelOf({ trailingStop: { offset }, direction: 'short' })).toBe(fp9('103'))
    expect(levelOf({ trailingStop: { offsetPercent: '2%' } })).toBe(fp9('98'))
    expect(levelOf({ trailingStop: { offset, activationPrice: fp9('110') } })).toBeNull()
    expect(levelOf({ trailingStop: { offset: fp9('100') } })).toBeNull()
    expect(levelOf({})).toBeNull()
  })

  test('of the nearer of both stops', async () => {
    const sizeWith = async (order: Partial<EntryOrder>) => {
      const options = optionsFor(
        [still(100), still(100)],
        acting(opening({ sizeBy: { risk: '1%' }, ...order })),
      )
      return (await recorded(options)).recording.fills[0]?.size
    }
    const trailed = await sizeWith({})
    expect(trailed).toBe(await sizeWith({ trailingStop: { offset: fp9('50') }, stopLoss: fp9('97') }))
    expect(trailed).toBe(await sizeWith({ stopLoss: fp9('90') }))
    expect(await sizeWith({ stopLoss: fp9('98') })).toBeGreaterThan(trailed ?? 0n)
  })
})
