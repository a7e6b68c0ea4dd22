/**
 * `npx tsx --expose-gc bench/crashColumns.ts [positions]`: what a crash would take with a market's positions in columns. A prototype: half of
 * the positions have a stop, the others are liquidated. Levels and money side by side in typed arrays, what is reached picked out and put in
 * order once, the engine's formulas, and its three events for each firing, written as bytes as soon as they are made and then forgotten. No book,
 * roster, index, history list or account's risk is touched, and nothing is answered: it is the least that such a form could take, beside the
 * engine's tick in the same process. Processor time, the best of rounds in turns, and a check that both settle the same.
 */

import { newClosingOrder } from '../src/domain/flows/createOrder.ts'
import { liquidationPrice } from '../src/domain/formulas/liquidation.ts'
import { settle, settleLiquidation } from '../src/domain/formulas/settlement.ts'
import { IdSpace } from '../src/domain/state/ids.ts'
import type { Position } from '../src/domain/state/position.ts'
import { writeHead } from '../src/events/codec/commitCodec.ts'
import { EncodedBlocks } from '../src/events/codec/encodedBlocks.ts'
import { eventCodec } from '../src/events/codec/eventSchemas.ts'
import type { Settlement } from '../src/events/positionEvents.ts'
import { type Engine, type Event, ONE } from '../src/index.ts'
import { collect } from './figure.ts'
import { accountId, benchVenue, marketId, must, open, PRICE } from './venue.ts'

const ROUNDS = 4
const FALLEN = (PRICE * 3n) / 4n
const NEVER = -1
const positions = Number(process.argv[2] ?? 50_000)
const marketId0 = marketId(0)

const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round++) {
  const engine = benchVenue({ accounts: positions })
  for (let n = 0; n < positions; n++) open(engine, n, 0, 'long', n % 2 === 0)
  const columns = columnsOf(engine)
  const { seq } = must(engine, { type: 'advanceTime', ms: 100_000 })
  const credits = columns.fall(seq + 1, engine.now)
  let events: readonly Event[] = []
  time('engine', () => {
    events = must(engine, { type: 'updatePrice', marketId: marketId0, indexPrice: FALLEN }).events
  })
  let due = 0n
  for (const event of events) if (event.type === 'closePosition') due += event.credit
  if (credits !== due) throw new Error(`the columns pay out ${credits}, the engine ${due}`)
}
const engineMs = best.get('engine') as number
const columnsMs = [...best].reduce((sum, [name, ms]) => (name === 'engine' ? sum : sum + ms), 0)
for (const [name, ms] of [...best, ['columns', columnsMs] as const])
  console.log(`${name.padEnd(12)}${((1_000 * ms) / positions).toFixed(2).padStart(6)} µs a firing`)
console.log(`columns take ${(columnsMs / engineMs).toFixed(2)} of the engine's time`)

function columnsOf(engine: Engine) {
  const market = engine.read.marketParameters(marketId0)
  if (market === undefined) throw new Error('no market')
  const { maintenanceMarginRate, feeRate, spread } = market
  const ids: string[] = []
  const accounts: string[] = []
  const stops: string[] = []
  const takes: string[] = []
  const [size, notional, margin, free] = Array.from(
    { length: 4 },
    () => new BigInt64Array(positions),
  ) as BigInt64Array[] as [BigInt64Array, BigInt64Array, BigInt64Array, BigInt64Array]
  const openedAt = new Float64Array(positions)
  const stopLevel = new Float64Array(positions).fill(NEVER)
  const takeLevel = new BigInt64Array(positions)
  const liquidation = new Float64Array(positions)
  for (let n = 0; n < positions; n++) {
    const [position] = engine.read.activePositions(accountId(n)) as [Position]
    ids.push(position.id)
    accounts.push(position.accountId)
    size[n] = position.size
    notional[n] = position.notional
    margin[n] = position.margin
    openedAt[n] = position.openedAt
    liquidation[n] = Number(liquidationPrice(position, maintenanceMarginRate))
    for (const order of engine.read.activeOrders(position.accountId, marketId0)) {
      if (order.orderType === 'stop') stopLevel[n] = Number(order.triggerPrice)
      else takeLevel[n] = order.triggerPrice
      const orders = order.orderType === 'stop' ? stops : takes
      orders[n] = order.id
    }
  }
  return { fall }

  function fall(seq: number, at: number): bigint {
    let reached = new Uint32Array(0)
    const level = new Float64Array(positions)
    let credits = 0n
    time('reached', () => {
      const price = Number(FALLEN)
      const found = new Uint32Array(positions)
      let count = 0
      for (let n = 0; n < positions; n++) {
        level[n] = Math.max(stopLevel[n] as number, liquidation[n] as number)
        if ((level[n] as number) >= price) found[count++] = n
      }
      reached = found.subarray(0, count).sort((a, b) => (level[b] as number) - (level[a] as number) || a - b)
    })
    const settlements: Settlement[] = []
    time('settled', () => {
      for (const n of reached) {
        const terms = termsOf(n)
        const isStop = stopLevel[n] === level[n]
        const settlement = isStop
          ? settle(terms, terms.size, FALLEN, feeRate, at)
          : settleLiquidation(terms, FALLEN, at)
        free[n] = (free[n] as bigint) + settlement.credit
        credits += settlement.credit
        margin[n] = 0n
        size[n] = 0n
        settlements.push(settlement)
      }
    })
    const blocks = new EncodedBlocks()
    const space = new IdSpace('bench')
    let made = 0
    const decision = { newId: () => space.id(seq, made++) }
    time('events', () => {
      blocks.begin()
      const { writer } = blocks
      const command = { type: 'updatePrice', marketId: marketId0, indexPrice: FALLEN } as const
      writeHead(writer, { seq, at, command, events: { length: 3 * reached.length } as readonly Event[] })
      for (let at = 0; at < reached.length; at++) write(reached[at] as number, settlements[at] as Settlement)
      blocks.end()

      function write(n: number, settlement: Settlement): void {
        const isStop = stopLevel[n] === level[n]
        const on = { id: ids[n] as string, accountId: accounts[n] as string }
        const triggerPrice = BigInt(level[n] as number)
        let orderId = stops[n] as string
        if (!isStop) {
          const placed = newClosingOrder(
            decision,
            { ...on, marketId: marketId0, direction: 'long' },
            'liquidation',
            settlement.size,
          )
          placed.triggerPrice = triggerPrice
          orderId = placed.orderId
          eventCodec.write(writer, placed)
        }
        eventCodec.write(writer, {
          type: 'orderExecuted',
          orderId,
          accountId: on.accountId,
          marketId: marketId0,
          triggerPrice,
          released: 0n,
          indexPrice: FALLEN,
          amount: settlement.size,
          realizedPnl: settlement.pnl,
          rawRealizedPnl: settlement.rawPnl,
          profitAdjustmentApplied: settlement.pnl !== settlement.rawPnl,
        })
        if (!isStop)
          return eventCodec.write(writer, {
            type: 'liquidate',
            positionId: on.id,
            accountId: on.accountId,
            marketId: marketId0,
            direction: 'long',
            size: settlement.size,
            exchangedQuote: settlement.exchangedQuote,
            cost: settlement.cost,
            rawPnl: settlement.rawPnl,
            pnl: settlement.pnl,
            fee: settlement.fee,
            marginReleased: settlement.marginReleased,
            credit: settlement.credit,
            profitReferenceUsed: settlement.profitReferenceUsed,
            holdingTimeMs: settlement.holdingTimeMs,
            orderId,
            indexPrice: FALLEN,
            margin: settlement.marginReleased,
            spread,
            maintenanceMarginRate,
            liquidationPrice: triggerPrice,
            formula: 1,
          })
        eventCodec.write(writer, {
          type: 'closePosition',
          positionId: on.id,
          accountId: on.accountId,
          marketId: marketId0,
          direction: 'long',
          size: settlement.size,
          exchangedQuote: settlement.exchangedQuote,
          cost: settlement.cost,
          rawPnl: settlement.rawPnl,
          pnl: settlement.pnl,
          fee: settlement.fee,
          marginReleased: settlement.marginReleased,
          credit: settlement.credit,
          profitReferenceUsed: settlement.profitReferenceUsed,
          holdingTimeMs: settlement.holdingTimeMs,
          closes: true,
          orderId,
          indexPrice: FALLEN,
          feeRate,
          scalpingCoefficient: ONE,
        })
        eventCodec.write(writer, {
          type: 'orderCanceled',
          orderId: takes[n] as string,
          accountId: on.accountId,
          marketId: marketId0,
          triggerPrice: takeLevel[n] as bigint,
          released: 0n,
          status: 'canceled_by_position',
          reason: null,
        })
      }
    })
    return credits
  }

  function termsOf(n: number) {
    return {
      direction: 'long',
      size: size[n] as bigint,
      notional: notional[n] as bigint,
      margin: margin[n] as bigint,
      profitReference: 0n,
      lastIncreaseAt: openedAt[n] as number,
    } as Position
  }
}

/** Of the processor, this thread and the collector's helpers counted. */
function time(name: string, work: () => void): void {
  collect()
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1_000))
}
