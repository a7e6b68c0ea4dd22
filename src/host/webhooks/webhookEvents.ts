/** What webhooks tell of a commit. */
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import { toJson } from '../json.ts'

/** Which events of the log each type stands for. */
const TYPES = {
  'account.opened': ({ type }) => type === 'accountOpened',
  'account.failed': (event) => event.type === 'accountStopped' && event.status === 'failed',
  'account.frozen': (event) => event.type === 'accountStopped' && event.status === 'frozen',
  'account.closed': (event) => event.type === 'accountStopped' && event.status === 'closed',
  'account.unfrozen': ({ type }) => type === 'accountUnfrozen',
  'account.promoted': ({ type }) => type === 'accountPromoted',
  'account.passed': (event) => event.type === 'accountPromoted' && event.phase === 'funded',
  'order.executed': ({ type }) => type === 'orderExecuted',
  'order.failed': ({ type }) => type === 'orderFailed',
  'order.canceled': ({ type }) => type === 'orderCanceled',
  'position.increased': ({ type }) => type === 'increasePosition',
  'position.closed': ({ type }) => type === 'closePosition' || type === 'forceClose',
  'position.liquidated': ({ type }) => type === 'liquidate',
} as const satisfies Record<string, (event: Event) => boolean>

/** What a webhook may be told. */
export type WebhookType = keyof typeof TYPES

export const WEBHOOK_TYPES = Object.keys(TYPES) as WebhookType[]

/** Events of one delivery: a commit may hold everything that a tick set off, and is then told in several. */
const EVENTS_OF_A_DELIVERY = 500

/**
 * The bodies in which a commit is told to who wants these types, in their order; none where nothing of it is wanted. `shard`:
 * each has a log of its own, and their sequences are the same numbers.
 */
export function bodiesOf(
  { seq, at, events }: Commit,
  wanted: readonly WebhookType[],
  shard?: number,
): string[] {
  const told = events.flatMap((event) =>
    wanted.filter((type) => TYPES[type](event)).map((type) => toJson({ type, data: event })),
  )
  const bodies: string[] = []
  for (let from = 0; from < told.length; from += EVENTS_OF_A_DELIVERY) {
    const part = told.slice(from, from + EVENTS_OF_A_DELIVERY)
    bodies.push(
      `${toJson({ ...(shard !== undefined && { shard }), id: seq, part: bodies.length + 1, at }).slice(0, -1)},"events":[${part}]}`,
    )
  }
  return bodies
}
