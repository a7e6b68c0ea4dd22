// A process under load, to be killed: sends orders to a durable engine and prints each answer it got, and nothing before.

import { fp9, openEngine, type PlaceOrder } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { ACCOUNTS, Chance, GENESIS, MARKETS, nextCommand } from '../store/traffic.ts'

const [directory = '', run = '0'] = process.argv.slice(2)
const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory), snapshotEvery: 500 })
const chance = new Chance(Number(run) + 1)
let count = 0

async function sender(): Promise<void> {
  for (;;) {
    count += 1
    if (count % 3 === 0) {
      const { command } = nextCommand(chance, engine)
      if (command.type !== 'advanceTime') await engine.send(command)
      continue
    }
    const idempotencyKey = `run ${run} order ${count}`
    const order: PlaceOrder = {
      type: 'placeOrder',
      accountId: ACCOUNTS[count % 2 === 0 ? 0 : 1],
      marketId: MARKETS[0],
      orderType: 'limit',
      direction: 'long',
      amount: fp9('1'),
      leverage: fp9('2'),
      triggerPrice: fp9('1000'),
      idempotencyKey,
    }
    const outcome = await engine.send(order)
    if (outcome.ok && outcome.replayedFrom === undefined)
      process.stdout.write(`${JSON.stringify([idempotencyKey, outcome.seq, outcome.value.id])}\n`)
    if (outcome.ok) await engine.send({ type: 'cancelOrder', orderId: outcome.value.id })
  }
}

await Promise.all(Array.from({ length: 16 }, sender))
