/** A strategy that hears of every bar late: what it decides is done so many bars after it would have been. */
import { isAdopting } from '../learned/adopting.ts'
import { besideContext } from './besideContext.ts'
import { HeardBars } from './heardBars.ts'
import type { Calculation, IndicatorInput, IndicatorOptions } from './indicator.ts'
import type { Bar, Strategy, StrategyContext } from './strategy.ts'

/**
 * The strategy, told of each bar when `bars` more of the same market have closed. What it reads of the venue is as of then.
 * The last bars of the data are not told. Hooks may be those of a class: they keep their own object.
 */
export function delayed(strategy: Strategy, bars: number): Strategy {
  const waiting = new Map<string, Bar[]>()
  const heard = new HeardBars()
  const late = withBars(heard)
  const { name, onTick, onEvent, parts } = strategy
  return {
    ...(parts === undefined ? {} : { parts }),
    name: `${name}, ${bars} bar(s) late`,
    onStart: (context) => strategy.onStart?.(late(context)),
    ...(onTick === undefined
      ? {}
      : { onTick: (tick, context) => onTick.call(strategy, tick, late(context)) }),
    ...(onEvent === undefined
      ? {}
      : { onEvent: (event, context) => onEvent.call(strategy, event, late(context)) }),
    onEnd: (context) => strategy.onEnd?.(late(context)),
    onBar(bar, context) {
      const queue = waiting.get(bar.asset) ?? []
      waiting.set(bar.asset, queue)
      queue.push(bar)
      if (queue.length <= bars) return undefined
      const told = queue.shift() as Bar
      const tell = () => {
        heard.add(told)
        return strategy.onBar?.(told, late(context))
      }
      const ready = heard.ready(told)
      return ready === undefined ? tell() : ready.then((isDone) => (isDone ? tell() : undefined))
    },
  }
}

/** A context whose bars are those told late, for each context once. */
function withBars(heard: HeardBars): (context: StrategyContext) => StrategyContext {
  const known = new WeakMap<StrategyContext, StrategyContext>()
  return (context) => {
    const found = known.get(context)
    if (found !== undefined) return found
    const late = lateContext(context, heard)
    known.set(context, late)
    return late
  }
}

function lateContext(context: StrategyContext, heard: HeardBars): StrategyContext {
  return besideContext(context, {
    of: (account) => lateContext(context.of(account), heard),
    bars(asset, interval) {
      context.market(asset)
      return heard.of(asset, interval)
    },
    indicator(
      asset: string,
      name: string,
      calculation: Calculation<never, never>,
      options: IndicatorOptions<IndicatorInput> = {},
    ) {
      context.market(asset)
      return heard.indicator(asset, name, calculation, options)
    },
    learn(asset, name, learning) {
      context.market(asset)
      const learned = heard.learn(asset, name, learning)
      if (isAdopting(context)) context.adopt(learned)
      return learned
    },
  })
}
