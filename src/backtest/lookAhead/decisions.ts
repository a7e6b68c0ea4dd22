/** What a strategy asks for, as it asks: the same strategy, whose context keeps a note of every action. */
import { toJson } from '../../quantity/json.ts'
import { besideContext } from '../strategy/besideContext.ts'
import type { Calculation, Indicator, IndicatorInput, IndicatorOptions } from '../strategy/indicator.ts'
import type { EntryOrder, ExitOrder, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** One action that a strategy asked for, whatever the venue answered. */
export interface Decision {
  /** Epoch ms. */
  readonly at: number
  /** What it is at first sight: `open long BTC`, `close`. */
  readonly kind: string
  /** All that was asked, as JSON: of two runs with the same past it is the same. */
  readonly asked: string
}

/** An indicator's value as the run began. */
interface WarmIndicator {
  readonly asset: string
  readonly name: string
  /** Null where there had been too few bars. */
  readonly value: number | null
}

/** What was noted of one run. */
export interface Notebook {
  readonly decisions: Decision[]
  /** As they were at the first bar that closed at or after the begin. */
  readonly indicators: WarmIndicator[]
}

/**
 * The strategy with a note of what it asks for. What it asks for in `onEnd` is not noted: data that ends elsewhere ends it elsewhere.
 *
 * @param from when indicators are looked at, epoch ms.
 */
export function noted(strategy: Strategy, from: number): { strategy: Strategy; notebook: Notebook } {
  const notebook: Notebook = { decisions: [], indicators: [] }
  const made: Indicator[] = []
  const contexts = new WeakMap<StrategyContext, StrategyContext>()
  const watched = (context: StrategyContext) => {
    const known = contexts.get(context) ?? watchedContext(context, notebook.decisions, made)
    contexts.set(context, known)
    return known
  }
  let isWarm = false
  const { name, parts, onTick, onEvent } = strategy
  const hooks: Strategy = {
    name,
    ...(parts === undefined ? {} : { parts }),
    onStart: (context) => strategy.onStart?.(watched(context)),
    onBar(bar, context) {
      if (!isWarm && bar.closeTime >= from) {
        isWarm = true
        notebook.indicators.push(...made.flatMap(warmLines))
      }
      return strategy.onBar?.(bar, watched(context))
    },
    ...(onTick && { onTick: (tick, context) => onTick.call(strategy, tick, watched(context)) }),
    ...(onEvent && { onEvent: (event, context) => onEvent.call(strategy, event, watched(context)) }),
    onEnd: (context) => strategy.onEnd?.(context),
  }
  return { strategy: hooks, notebook }
}

function warmLines({ asset, lines }: Indicator): WarmIndicator[] {
  return lines.map(({ name, value }) => ({ asset, name, value }))
}

function watchedContext(context: StrategyContext, decisions: Decision[], made: Indicator[]): StrategyContext {
  const { accountId } = context
  const note = (kind: string, asked: object) => {
    decisions.push({ at: context.now, kind, asked: JSON.stringify(toJson({ accountId, kind, ...asked })) })
  }
  return besideContext(context, {
    of: (account) => watchedContext(context.of(account), decisions, made),
    indicator<Result>(
      asset: string,
      name: string,
      calculation: Calculation<never, Result>,
      options?: IndicatorOptions<IndicatorInput>,
    ) {
      // The overloads tell a caller which options go with which calculation; here they are passed on as they came.
      const indicate = context.indicator as (...given: unknown[]) => Indicator<Result>
      const indicator = indicate.call(context, asset, name, calculation, options)
      made.push(indicator)
      return indicator
    },
    open(order) {
      note(entryKind(order), order)
      return context.open(order)
    },
    close(order) {
      note(exitKind(order), { ...order, position: order.position.id })
      return context.close(order)
    },
    edit(orderId, changes) {
      note('edit', { orderId, ...changes })
      return context.edit(orderId, changes)
    },
    cancel(orderId) {
      note('cancel', { orderId })
      return context.cancel(orderId)
    },
    changeMargin(position, change) {
      note(change > 0n ? 'add margin' : 'take margin', { position: position.id, change })
      return context.changeMargin(position, change)
    },
    closeAll() {
      note('close all', {})
      return context.closeAll()
    },
  })
}

function entryKind({ direction, asset, type = 'market' }: EntryOrder): string {
  return `open ${direction} ${asset}${type === 'market' ? '' : ` (${type})`}`
}

function exitKind({ position, type = 'take' }: ExitOrder): string {
  return `close ${position.direction}${type === 'take' ? '' : ` (${type})`}`
}
