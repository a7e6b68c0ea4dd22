// No step of a snapshot grows with the venue (K15), beginning it included. Steps are counted, not timed: what is taken from
// maps, sets and lists while a piece is made.

import { expect, test } from 'vitest'
import type { Folded } from '../../../src/engine/fold.ts'
import { beginSnapshot } from '../../../src/engine/snapshot.ts'
import { type Placement, uncheckedOrder } from '../../../src/events/placeOrder.ts'
import { StoredHistory } from '../../../src/history/storedHistory.ts'
import { type Command, createEngine, fp9 } from '../../../src/index.ts'
import { joined } from '../../../src/store/store.ts'
import { foldedOver } from '../../foldedOver.ts'
import { NothingKept } from '../../nothingKept.ts'

const uuid = (kind: number, n: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`
const MARKET = uuid(1, 1)

type Send = (command: Command) => void

/** What a venue may have many of, and how the n-th comes about. */
const MANY: Record<string, (send: Send, n: number) => void> = {
  accounts: (send, n) => open(send, n),
  orders: (send, n) => place(send, n, { orderType: 'limit', triggerPrice: fp9('90') }),
  positions: (send, n) => place(send, n, { orderType: 'market' }),
  'API keys': (send, n) => {
    const secret = { hash: n.toString(16).padStart(64, '0'), prefix: `k${n}`, expiresAt: null }
    send({
      type: 'registerApiKey',
      keyId: uuid(4, n),
      userId: uuid(3, n),
      name: `${n}`,
      maxLive: 1,
      ...secret,
    })
  },
  'idempotency keys': (send, n) =>
    place(send, n, { orderType: 'limit', triggerPrice: fp9('90'), idempotencyKey: `${n}` }),
}

function open(send: Send, n: number): void {
  send({ type: 'openAccount', account: { id: uuid(2, n), userId: uuid(3, n), balance: fp9('1000') } })
}

function place(send: Send, n: number, terms: Partial<Placement> & Pick<Placement, 'orderType'>): void {
  open(send, n)
  const order = { accountId: uuid(2, n), marketId: MARKET, direction: 'long', leverage: fp9('2') } as const
  send(uncheckedOrder({ type: 'placeOrder', ...order, amount: fp9('10'), ...terms }))
}

async function venueOf(add: (send: Send, n: number) => void, many: number): Promise<Folded> {
  const engine = createEngine({ seed: 'steps', at: 0 })
  const send = (command: Command) => {
    const outcome = engine.dispatch(command)
    if (!outcome.ok) throw new Error(`${command.type}: ${outcome.error.code}`)
  }
  send({
    type: 'configureMarket',
    market: { id: MARKET, baseAsset: 'A', ticker: 'A/USD', category: 'crypto', indexPrice: fp9('100') },
  })
  for (let n = 0; n < many; n++) add(send, n)
  const folded = foldedOver(new StoredHistory(new NothingKept()))
  for await (const commit of engine.commits({ from: 1 })) folded.fold(commit)
  return folded
}

const ITERATORS = [new Map().values(), new Map().entries(), new Set().values(), [].values()].map(
  (iterator) => Object.getPrototypeOf(iterator) as { next: () => unknown },
)

/** How many things are taken from maps, sets and lists while something is done. */
function stepsOf(work: () => void): number {
  let steps = 0
  const undo = [...new Set(ITERATORS)].map((iterator) => {
    const { next } = iterator
    iterator.next = function counted() {
      steps += 1
      return next.call(this)
    }
    return () => {
      iterator.next = next
    }
  })
  work()
  for (const each of undo) each()
  return steps
}

/** How many steps beginning takes, and the most of a piece; bytes of the largest piece, and of all. */
async function largestOf(add: (send: Send, n: number) => void, many: number) {
  const folded = await venueOf(add, many)
  let begun: ReturnType<typeof beginSnapshot> | undefined
  const beginning = stepsOf(() => {
    begun = beginSnapshot(folded)
  })
  let steps = 0
  const snapshot = begun as ReturnType<typeof beginSnapshot>
  const pieces: Uint8Array[] = []
  const next = snapshot.pieces[Symbol.iterator]()
  for (let done = false; !done; ) {
    const taken = stepsOf(() => {
      const piece = next.next()
      if (piece.done === true) done = true
      else pieces.push(piece.value)
    })
    steps = Math.max(steps, taken)
  }
  snapshot.release()
  const bytes = Math.max(...pieces.map(({ length }) => length))
  return { beginning, steps, bytes, pieces: pieces.length, all: joined(pieces).length }
}

test.each(Object.entries(MANY))('ten times as many %s take as many steps a piece', async (_, add) => {
  const [small, large] = [await largestOf(add, 150), await largestOf(add, 1_500)]
  expect(large.all).toBeGreaterThan(8 * small.all)
  expect(large.pieces).toBeGreaterThan(small.pieces + 20)
  expect(large.beginning).toBe(small.beginning)
  expect(large.steps).toBeLessThan(1.1 * small.steps)
  expect(large.bytes).toBeLessThan(17_000)
})
