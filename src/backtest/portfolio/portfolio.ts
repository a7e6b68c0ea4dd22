/** Several strategies on one account, as one strategy. */
import type { Bar, MaybePromise, Strategy, StrategyContext, Tick } from '../strategy/strategy.ts'
import type { StrategyEvent } from '../strategy/strategyEvent.ts'
import { PartContext } from './partContext.ts'
import { PartLedger } from './partLedger.ts'

/** One strategy of a portfolio. */
export interface PortfolioPart {
  /** Unique in the portfolio. */
  readonly name: string
  readonly strategy: Strategy
  /** The markets it is told of and may trade. Default: all. */
  readonly assets?: readonly string[]
}

/**
 * Trades several strategies on one account: they share its balance, its limits and its verdict. Each sees and moves its own orders
 * and positions only. Where two are on the same side of a market they share the venue's one position there, each with its share:
 * so leverage, margin and liquidation are common to them. `equity()` and percentages are of the whole account.
 *
 * ```ts
 * const strategy = portfolio([
 *   { name: 'trend', strategy: emaCross({ asset: 'BTC' }) },
 *   { name: 'dips', strategy: meanReversion({ asset: 'BTC' }), assets: ['BTC'] },
 * ])
 * const { portfolio: found } = await runBacktest({ markets: [{ asset: 'BTC', feed: demoFeed('demo', 2) }], strategy })
 * found?.parts.map(({ name }) => name).join() // → trend,dips
 * ```
 *
 * @throws RangeError for no strategy, and two of one name.
 */
export function portfolio(parts: readonly PortfolioPart[]): Strategy {
  if (parts.length === 0) throw new RangeError('a portfolio needs a strategy')
  if (new Set(parts.map(({ name }) => name)).size < parts.length)
    throw new RangeError('two strategies of the portfolio have the same name')
  const told = new Told(parts)
  const hears = (hook: 'onBar' | 'onTick') => parts.some(({ strategy }) => strategy[hook] !== undefined)
  return {
    name: `portfolio: ${parts.map(({ name, strategy }) => `${name} (${strategy.name})`).join('; ')}`,
    parts: told.ledger,
    onStart: (context) => told.tell(context, (strategy, own) => strategy.onStart?.(own)),
    // A hook that nobody listens to is left out: runs are quicker without.
    ...(hears('onBar') && {
      onBar: (bar: Bar, context) =>
        told.tell(context, (strategy, own) => strategy.onBar?.(bar, own), bar.asset),
    }),
    ...(hears('onTick') && {
      onTick: (tick: Tick, context) =>
        told.tell(context, (strategy, own) => strategy.onTick?.(tick, own), tick.asset),
    }),
    onEvent: (event, context) => told.event(event, context),
    onEnd: (context) => told.tell(context, (strategy, own) => strategy.onEnd?.(own)),
  }
}

class Told {
  readonly ledger: PartLedger
  readonly #parts: readonly PortfolioPart[]
  /** Strategies may compare contexts: each is given the same one again. */
  readonly #contexts = new WeakMap<StrategyContext, readonly PartContext[]>()

  constructor(parts: readonly PortfolioPart[]) {
    this.#parts = parts
    this.ledger = new PartLedger(parts.map(({ name, strategy }) => ({ name, strategy: strategy.name })))
  }

  async event(event: StrategyEvent, context: StrategyContext): Promise<void> {
    // Who was in a position that has ended is known only before.
    const before = this.#parts.map((_, index) => this.ledger.concerns(event, index))
    this.ledger.add(event, context.now)
    for (const [index, { strategy }] of this.#parts.entries())
      if (before[index] || this.ledger.concerns(event, index))
        await strategy.onEvent?.(event, this.#contextOf(context, index))
  }

  /** One after the other; nothing waits unless a hook returns a promise. */
  tell(context: StrategyContext, hook: PartHook, asset?: string, from = 0): MaybePromise<void> {
    for (let index = from; index < this.#parts.length; index++) {
      const { strategy, assets } = this.#parts[index] as PortfolioPart
      if (asset !== undefined && assets !== undefined && !assets.includes(asset)) continue
      const told = hook(strategy, this.#contextOf(context, index))
      if (told instanceof Promise) return told.then(() => this.tell(context, hook, asset, index + 1))
    }
  }

  #contextOf(context: StrategyContext, index: number): PartContext {
    const known = this.#contexts.get(context) ?? this.#madeFor(context)
    return known[index] as PartContext
  }

  #madeFor(context: StrategyContext): readonly PartContext[] {
    const made = this.#parts.map(
      ({ name, assets = null }, index) => new PartContext({ index, name, assets }, this.ledger, context),
    )
    this.#contexts.set(context, made)
    return made
  }
}

type PartHook = (strategy: Strategy, own: PartContext) => MaybePromise<void> | undefined
