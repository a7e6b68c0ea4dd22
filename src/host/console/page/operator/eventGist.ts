// What a reader wants of an event at a glance.
import { exact, price, quantity, signedMoney } from '../shared/amounts.ts'
import { words } from '../shared/names.ts'
import type { ShownCommit } from './operatorClient.ts'

type ShownEvent = ShownCommit['events'][number]

/** Events whose `amount` is money that comes or goes; that of an order is what it takes or closes. */
const MOVES_MONEY = new Set(['balanceAdjusted', 'payFunding', 'addMargin', 'removeMargin'])

export function gist(event: ShownEvent): string {
  const { direction, orderType, status, phase, reason, pnl, amount, size, indexPrice, triggerPrice } = event
  const texts = [direction, orderType, status, phase, reason]
    .filter((word) => typeof word === 'string')
    .map(words)
  if (typeof size === 'string') texts.push(exact(quantity(size)))
  else if (typeof amount === 'string' && MOVES_MONEY.has(event.type))
    texts.push(signedMoney(quantity(amount)))
  const at = indexPrice ?? triggerPrice
  if (typeof at === 'string' && at !== '0') texts.push(`at ${price(quantity(at))}`)
  if (typeof pnl === 'string') texts.push(`pnl ${signedMoney(quantity(pnl))}`)
  return texts.join(' ')
}
