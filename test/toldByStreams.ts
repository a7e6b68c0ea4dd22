// What streams should tell of orders and positions, by the log, and what they did tell: a line for each, in short.

import type { StreamMessage } from '../src/host/index.ts'
import type { Commit } from '../src/index.ts'

/** What happened to orders and positions of these accounts after commit `after`. */
export function happened(
  commits: Iterable<Commit>,
  accountIds: ReadonlySet<string>,
  after: number,
): string[] {
  const lines: string[] = []
  for (const { seq, events } of commits)
    for (const event of events) {
      if (seq <= after || !('accountId' in event) || !accountIds.has(event.accountId)) continue
      if ('orderId' in event && event.type.startsWith('order')) lines.push(`${seq} order ${event.orderId}`)
      else if ('positionId' in event && event.type !== 'orderPlaced')
        lines.push(`${seq} position ${event.positionId} ${event.type}`)
    }
  return lines
}

export function told(messages: readonly StreamMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.type === 'order') return [`${message.seq} order ${message.data.id}`]
    if (message.type !== 'position') return []
    return [`${message.seq} position ${message.data.idx} ${message.data.eventName}`]
  })
}
