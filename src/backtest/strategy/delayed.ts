/** A strategy that hears of every bar late: what it decides is done so many bars after it would have been. */
import type { Bar, Strategy } from './strategy.ts'

/**
 * The strategy, told of each bar when `bars` more of the same market have closed. What it reads of the venue is as of then.
 * The last bars of the data are not told. Hooks may be those of a class: they keep their own object.
 */
export function delayed(strategy: Strategy, bars: number): Strategy {
  const waiting = new Map<string, Bar[]>()
  const { name, onTick, onEvent } = strategy
  return {
    name: `${name}, ${bars} bar(s) late`,
    onStart: (context) => strategy.onStart?.(context),
    ...(onTick === undefined ? {} : { onTick: onTick.bind(strategy) }),
    ...(onEvent === undefined ? {} : { onEvent: onEvent.bind(strategy) }),
    onEnd: (context) => strategy.onEnd?.(context),
    onBar(bar, context) {
      const queue = waiting.get(bar.asset) ?? []
      waiting.set(bar.asset, queue)
      queue.push(bar)
      return queue.length > bars ? strategy.onBar?.(queue.shift() as Bar, context) : undefined
    },
  }
}
