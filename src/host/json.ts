/** JSON as the host writes it: bigints as fp9 strings, instants as ISO 8601 (A1, A5). */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Commit } from '../events/commit.ts'
import type { Page } from '../projections/history.ts'
import { formatInstant } from '../projections/wire.ts'
import { formatFp9 } from '../quantity/fp9.ts'
import type { EpochSpan } from './epochSpan.ts'
import { orderJson } from './orderJson.ts'
import { positionEventJson, positionJson } from './positionJson.ts'

/** Fields that hold epoch milliseconds inside; durations end in `Ms` and stay numbers. */
const INSTANT_FIELD = /(?:^at|At|^frozenUntil)$/

/** Any record of the engine. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (field, held: unknown) => {
    if (typeof held === 'bigint') return formatFp9(held)
    return typeof held === 'number' && INSTANT_FIELD.test(field) ? formatInstant(held) : held
  })
}

export function ordersJson(orders: readonly OrderRecord[]): string {
  return `[${orders.map(orderJson).join()}]`
}

export function orderPageJson({ data, totalCount }: Page<OrderRecord>): string {
  return `{"data":${ordersJson(data)},"totalCount":${totalCount}}`
}

export function positionPageJson({ data, totalCount }: Page<PositionRecord>): string {
  return `{"data":[${data.map(positionJson).join()}],"totalCount":${totalCount}}`
}

/** Each of some records as JSON, when it is asked for. */
export function* eachJson<T>(records: Iterable<T>, json: (record: T) => string): Generator<string, void> {
  for (const record of records) yield json(record)
}

/** Each event of some runs; an empty text stands for a run without any. */
export function* positionEventsJson(runs: Iterable<readonly PositionEventRecord[]>): Generator<string, void> {
  for (const run of runs) {
    if (run.length === 0) yield ''
    for (const event of run) yield positionEventJson(event)
  }
}

/** The same of runs that are still to be read. */
export async function* positionEventsJsonRead(
  runs: AsyncIterable<readonly PositionEventRecord[]>,
): AsyncGenerator<string, void> {
  for await (const run of runs) for (const event of run) yield positionEventJson(event)
}

/** Text of a page of commits, in UTF-16 units, after which it ends with the commit it has come to. */
const LONGEST_PAGE = 64 * 1_048_576

/** A page of commits, event by event: one commit may hold everything that a tick set off. */
export async function* commitsJson(
  commits: AsyncIterable<Commit>,
  {
    limit,
    head,
    epochs,
  }: { readonly limit: number; readonly head: number; readonly epochs: readonly EpochSpan[] },
): AsyncGenerator<string, void> {
  let [count, length] = [0, 0]
  yield '{"data":['
  for await (const { events, ...commit } of commits) {
    const epoch = epochs.findLast(({ first }) => first <= commit.seq)?.epoch
    const about = toJson({ ...commit, ...(epoch !== undefined && { epoch }) })
    let text = `${count === 0 ? '' : ','}${about.slice(0, -1)},"events":[`
    for (const [at, event] of events.entries()) {
      yield text
      length += text.length
      text = `${at === 0 ? '' : ','}${toJson(event)}`
    }
    yield `${text}]}`
    length += text.length
    count += 1
    if (count === limit || length >= LONGEST_PAGE) break
  }
  yield `],"head":${head}}`
}
