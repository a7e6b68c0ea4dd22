/** Markets whose prices are drawn in blocks from their data: another course of the same market, on its dates. */
import type { BarColumns } from '../feed/columns.ts'
import type { BarFeed, Feed } from '../feed/feed.ts'
import type { FundingRates } from '../feed/funding.ts'
import { count } from '../output/presentation.ts'
import { type BarSample, barSample, blockLengthOf } from '../simulated/barSample.ts'
import { type BlockSettings, drawnMarkets } from '../simulated/drawnMarkets.ts'
import { changedNumbers, isBootstrapped } from '../simulated/modelText.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { RunPlan } from './plan.ts'
import { PlanError } from './readPlan.ts'

/** Without `block` it is found from the data. */
const NUMBERS = { block: 'auto', regimes: 1 }

/** More states are told by fewer bars each. */
const MOST_REGIMES = 10

/** A market with its data at hand. */
interface OpenedMarket {
  readonly asset: string
  readonly feed: Feed
  readonly funding: FundingRates | null
}

/**
 * The markets of a plan drawn together from all of their data, in the place of it: from its first bar on, from its first close, as many
 * bars as it has or as many days as asked. A block takes its funding along.
 *
 * @throws PlanError for markets that cannot be drawn, or not together; RangeError for numbers that the drawing does not have.
 */
export async function bootstrappedMarkets(
  { markets: plans, seed = 'demo', correlation }: RunPlan,
  opened: readonly OpenedMarket[],
): Promise<OpenedMarket[]> {
  const { simulate = '', days } = plans.find(isBootstrapped) ?? {}
  if (!plans.every((market) => isBootstrapped(market) && market.simulate === simulate))
    throw new PlanError(
      'bootstrapped markets are drawn together: give data for all of them, and the same numbers of blocks',
    )
  if (correlation !== undefined)
    throw new PlanError('bootstrapped markets move together as their data did: leave the correlation away')
  const asked = blockSettings(simulate)
  const sample = await barSample(opened)
  const settings = { ...asked, meanBlock: asked.meanBlock ?? blockLengthOf(sample) }
  const drawnBy = drawnMarkets(
    sample,
    opened.map(({ funding }) => funding),
    settings,
  )
  const [{ openTime, length }] = sample.markets as [BarColumns]
  const drawn = drawnBy({
    seed,
    startTime: openTime[0] as number,
    length: days === undefined ? length : Math.floor((days * DAY_MS) / sample.intervalMs),
    from: 'first close',
  })
  return opened.map(({ asset, feed: source }, index) => {
    const { feed, funding } = drawn[index] as (typeof drawn)[number]
    return { asset, feed: toldFrom(feed, source, sourceText(source, sample, settings, seed)), funding }
  })
}

function blockSettings(simulate: string): { readonly meanBlock: number | null; readonly regimes: number } {
  const { block = null, regimes = 1 } = changedNumbers(simulate, NUMBERS)
  if (block !== null && block < 1)
    throw new RangeError(`bootstrapped: block is a mean length in bars, at least 1, not ${block}`)
  if (!Number.isInteger(regimes) || regimes < 1 || regimes > MOST_REGIMES)
    throw new RangeError(`bootstrapped: regimes is a whole number from 1 to ${MOST_REGIMES}, not ${regimes}`)
  return { meanBlock: block, regimes }
}

function sourceText(
  { sources }: Feed,
  { markets: [first], unmatched }: BarSample,
  { meanBlock, regimes }: BlockSettings,
  seed: string,
): string {
  const from = `${count(first?.length ?? 0)} bars of ${sources.join(', ')}`
  const leftOut = unmatched === 0 ? '' : ` (${unmatched} that not all markets have left out)`
  const within = regimes === 1 ? '' : ` within ${regimes} regimes`
  return `drawn with seed ${seed} from ${from}${leftOut}, in blocks of ${count(meanBlock ?? 0)} on average${within}`
}

/** The drawn bars, with what was skipped of the data that they are drawn from. */
function toldFrom(feed: BarFeed, source: Feed, text: string): BarFeed {
  const { skipped, firstSkipped } = source.summary()
  return {
    ...feed,
    sources: [text],
    note: `prices are no history, but ${text}`,
    summary: () => ({ ...feed.summary(), skipped, firstSkipped }),
  }
}
