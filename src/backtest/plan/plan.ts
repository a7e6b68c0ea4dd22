/**
 * A run as plain data: what a configuration file holds, what the command line is turned into, and what is sent to a
 * worker. Amounts, rates and leverages are people's decimals ("10000", "0.03%", "5").
 */
import type { BarPath } from '../feed/path.ts'
import type { AtDataEnd } from '../run/dataEnds.ts'
import type { AfterVerdict } from '../run/run.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'

/** Parameters of a market or an account under the names of the engine, as decimals; counts and ms are numbers. */
export type DecimalFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** A market of a plan: its data or its simulation, and its parameters where they are not the default. */
export interface MarketPlan {
  /** Base asset ticker, unique in the run. */
  readonly asset: string
  /** A file, several files in the order of their time, or a folder. Without it the market is simulated. */
  readonly data?: string | readonly string[]
  /** Days to simulate. Default 30; of bootstrapped prices as long as their data. */
  readonly days?: number
  /**
   * The model of prices where there is no data, with its numbers: `regimes`, `jumps:volatility=0.9`. Default `jumps`. Beside data it is
   * `bootstrapped`, the same of all markets: bars drawn from theirs in blocks take their place, from the same begin on.
   */
  readonly simulate?: string
  /** A file of funding rates by time. */
  readonly funding?: string
  readonly parameters?: DecimalFields
}

/** Which strategy, and what it is told. */
export interface StrategyPlan {
  /** A name of the package's, or a file. */
  readonly strategy: string
  readonly parameters?: StrategyParameters
  readonly account?: DecimalFields
}

/** One strategy of a portfolio. Its parameters are those of the plan under its name too: `trend.fast`. */
export interface PartPlan {
  /** Letters, digits, `-` and `_`, a letter first; unique in the plan. */
  readonly name: string
  /** A name of the package's, or a file. */
  readonly strategy: string
  readonly parameters?: StrategyParameters
  /** Assets it trades. Default: all of the run. */
  readonly markets?: readonly string[]
}

/** A run as a file or a command line describes it: strategy, markets, account, period. */
export interface RunPlan extends StrategyPlan {
  readonly markets: readonly MarketPlan[]
  /** Several strategies on the one account; `strategy` is then `portfolio`. */
  readonly portfolio?: readonly PartPlan[]
  /** Further accounts on the same markets. */
  readonly others?: readonly (StrategyPlan & { readonly name: string })[]
  /** The part of the data to use, [from, to): ISO 8601 or epoch ms. */
  readonly from?: string | number
  /** Not included; ISO 8601 or epoch ms. */
  readonly to?: string | number
  /** How much data before `from` the strategies are told without trading on it, ms. Default none. */
  readonly warmUpMs?: number
  readonly path?: BarPath
  /** Correlation of the markets that are simulated, of each pair. Default 0. */
  readonly correlation?: number
  /** Whether the 60-second profit adjustment applies. Default `on`. */
  readonly profitCap?: 'on' | 'off'
  /** Whether the run ends when every account has passed or failed. Default `stop`. */
  readonly afterVerdict?: AfterVerdict
  /** What becomes of a market whose data ends before that of others. Default `close`. */
  readonly atDataEnd?: AtDataEnd
  /** Length of the bars that strategies are told where the data is ticks, ms. Default 60,000. */
  readonly tickBarMs?: number
  /** How many bars late the strategies are told of every bar: a test of what slowness costs. Default 0. */
  readonly delayBars?: number
  /** A file whose default export judges each run of a sweep, a search or a walk-forward; see `Objective`. */
  readonly objective?: string
  /** A file of periods to tell of: a JSON list of `{ "name", "from", "to" }`. */
  readonly periods?: string
  /** A folder of kept models that the models of the strategy start from. */
  readonly models?: string
  readonly seed?: string
  readonly onBadRow?: 'fail' | 'skip'
}
