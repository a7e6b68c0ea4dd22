/** A context that stands beside another: what it does not do itself, the other does. */
import type { StrategyContext } from './strategy.ts'

/** @param own what it does itself. Another account's context is the caller's to wrap. */
export function besideContext(
  context: StrategyContext,
  own: Partial<Omit<StrategyContext, 'now' | 'accountId' | 'assets' | 'of'>> & Pick<StrategyContext, 'of'>,
): StrategyContext {
  return {
    get now() {
      return context.now
    },
    accountId: context.accountId,
    assets: context.assets,
    account: () => context.account(),
    market: (asset) => context.market(asset),
    equity: () => context.equity(),
    freeBalance: () => context.freeBalance(),
    positions: (asset) => context.positions(asset),
    orders: (asset) => context.orders(asset),
    bars: (asset, interval) => context.bars(asset, interval),
    indicator: context.indicator.bind(context) as StrategyContext['indicator'],
    learn: (asset, name, learning) => context.learn(asset, name, learning),
    open: (order) => context.open(order),
    close: (order) => context.close(order),
    edit: (orderId, changes) => context.edit(orderId, changes),
    cancel: (orderId) => context.cancel(orderId),
    changeMargin: (position, change) => context.changeMargin(position, change),
    closeAll: () => context.closeAll(),
    ...own,
  }
}
