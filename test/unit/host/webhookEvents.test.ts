// Which events of the log a webhook is told of, under which names.
import { expect, test } from 'vitest'
import type { Commit } from '../../../src/events/commit.ts'
import { EVENT_TYPES } from '../../../src/events/eventTable.ts'
import { bodiesOf, WEBHOOK_TYPES, type WebhookType } from '../../../src/host/webhooks/webhookEvents.ts'

const TOLD: readonly (readonly [event: { readonly type: string }, types: readonly WebhookType[]])[] = [
  [{ type: 'accountOpened' }, ['account.opened']],
  ...(['failed', 'frozen', 'closed'] as const).map(
    (status) => [{ type: 'accountStopped', status }, [`account.${status}`]] as const,
  ),
  [{ type: 'accountUnfrozen' }, ['account.unfrozen']],
  [{ type: 'accountPromoted', phase: 'active_verification' } as { type: string }, ['account.promoted']],
  [{ type: 'accountPromoted', phase: 'funded' } as { type: string }, ['account.promoted', 'account.passed']],
  [{ type: 'orderExecuted' }, ['order.executed']],
  [{ type: 'orderFailed' }, ['order.failed']],
  [{ type: 'orderCanceled' }, ['order.canceled']],
  [{ type: 'increasePosition' }, ['position.increased']],
  [{ type: 'closePosition' }, ['position.closed']],
  [{ type: 'forceClose' }, ['position.closed']],
  [{ type: 'liquidate' }, ['position.liquidated']],
]
const others = EVENT_TYPES.filter((type) => !TOLD.some(([event]) => event.type === type))

const told = (events: readonly object[], wanted: readonly WebhookType[]) =>
  bodiesOf({ seq: 7, at: 0, events } as unknown as Commit, wanted).flatMap(
    (body) => (JSON.parse(body) as { events: { type: string; data: object }[] }).events,
  )

test('every type is told its own events and no others', () => {
  const events = [...TOLD.map(([event]) => event), ...others.map((type) => ({ type }))]
  for (const wanted of WEBHOOK_TYPES)
    expect(told(events, [wanted])).toEqual(
      TOLD.flatMap(([event, types]) => (types.includes(wanted) ? [{ type: wanted, data: event }] : [])),
    )
  expect(told(events, WEBHOOK_TYPES)).toEqual(
    TOLD.flatMap(([event, types]) => types.map((type) => ({ type, data: event }))),
  )
  expect(new Set(TOLD.flatMap(([, types]) => types))).toEqual(new Set(WEBHOOK_TYPES))
  expect(others.length).toBeGreaterThan(5)
})
