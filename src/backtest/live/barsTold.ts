/** A strategy under somebody's eyes. */
import type { Bar, Strategy } from '../strategy/strategy.ts'

/** The strategy, with `tell` called after each of its bars. Hooks may be those of a class: they keep their own object. */
export function withBarsTold(strategy: Strategy, tell: (bar: Bar) => void): Strategy {
  return {
    name: strategy.name,
    ...(strategy.parts === undefined ? {} : { parts: strategy.parts }),
    onStart: (context) => strategy.onStart?.(context),
    onTick: (tick, context) => strategy.onTick?.(tick, context),
    onEvent: (event, context) => strategy.onEvent?.(event, context),
    onEnd: (context) => strategy.onEnd?.(context),
    async onBar(bar, context) {
      await strategy.onBar?.(bar, context)
      tell(bar)
    },
  }
}
