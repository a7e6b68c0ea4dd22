/** What a stream tells, one JSON object each, written once for everybody who hears it. */
import type { Engine } from '../../engine/engine.ts'
import type { AccountRecord, RiskStatus } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { AccountStanding } from '../../projections/reader.ts'
import { formatInstant, wirePositionEvent } from '../../projections/wire.ts'
import { toJson } from '../json.ts'
import { orderJson } from '../orderJson.ts'
import type { Change } from './accountFold.ts'

/** What a message is about. */
export type MessageType =
  | 'snapshot'
  | 'order'
  | 'position'
  | 'account'
  | 'equity'
  | 'price'
  | 'market'
  | 'commit'
  | 'ping'
  | 'end'

/** A message: its commit, its time, whose it is, and its data as JSON, written when somebody first takes it. */
export class Message {
  readonly seq: number
  readonly #terms: MessageTerms
  #json: Buffer | null = null
  #event: Buffer | null = null
  #frame: Buffer | null = null
  #lastFrame: Buffer | null = null

  constructor(terms: MessageTerms) {
    this.seq = terms.seq
    this.#terms = terms
  }

  /** The message as JSON. */
  get json(): Buffer {
    if (this.#json === null) {
      const { type, seq, at, accountId, data } = this.#terms
      const whose = accountId === undefined ? '' : `,"accountId":${JSON.stringify(accountId)}`
      this.#json = Buffer.from(
        `{"type":"${type}","seq":${seq},"at":"${formatInstant(at)}"${whose},"data":${data()}}`,
      )
    }
    return this.#json
  }

  /** The same as a Server-Sent Event. */
  get event(): Buffer {
    this.#event ??= Buffer.concat([DATA, this.json, END_OF_EVENT])
    return this.#event
  }

  /** The same as a frame of a WebSocket. */
  get frame(): Buffer {
    this.#frame ??= textFrame(this.json)
    return this.#frame
  }

  /** The same, with the `id` that says that everything of its commit has been. */
  get lastFrame(): Buffer {
    this.#lastFrame ??= textFrame(Buffer.concat([Buffer.from(`{"id":${this.seq},`), this.json.subarray(1)]))
    return this.#lastFrame
  }
}

export interface MessageTerms {
  readonly type: MessageType
  /** The commit it tells of, or that was the last when it was made. */
  readonly seq: number
  /** Engine time, epoch ms. */
  readonly at: number
  readonly accountId?: string
  /** JSON text. */
  readonly data: () => string
}

const DATA = Buffer.from('data: ')
const END_OF_EVENT = Buffer.from('\n\n')

/** An unmasked text frame, whole (RFC 6455, 5.2): written once, where the library would write one for every reader. */
function textFrame(text: Buffer): Buffer {
  const { length } = text
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x81
  if (head.length === 2) head[1] = length
  else if (head.length === 4) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, text])
}

/** One that is as of the engine's head. */
export function messageNow(
  { head, now }: Pick<Engine, 'head' | 'now'>,
  type: MessageType,
  data: () => string,
  accountId?: string,
): Message {
  return new Message({ type, seq: head, at: now, data, ...(accountId !== undefined && { accountId }) })
}

/** What an event made of an order or a position. */
export function changeMessage(change: NonNullable<Change>, seq: number, at: number): Message {
  const { accountId } = change.record
  const data = () =>
    change.type === 'order' ? orderJson(change.record) : JSON.stringify(wirePositionEvent(change.record))
  return new Message({ type: change.type, seq, at, accountId, data })
}

/** An account as streams tell it: the Account resource and two switches that it leaves out. */
export function accountJson(record: AccountRecord, standing: AccountStanding): string {
  const { locked, loaded } = standing
  return toJson({ ...record, locked, loaded })
}

/** What a change of is told: the account, without what moves with every price. */
export function accountFingerprint(record: AccountRecord, { locked, loaded }: AccountStanding): string {
  const { currentEquity, dailyLossRemaining, totalLossRemaining, ...risk } = record.riskStatus
  const values = [
    ...Object.values(record).filter((value) => typeof value !== 'object'),
    ...Object.values(risk),
  ]
  return `${values.join()},${record.currentPhase},${locked},${loaded}`
}

export function equityJson(risk: RiskStatus): string {
  const { currentEquity, currentBalance, dailyLossRemaining, totalLossRemaining } = risk
  const unrealizedPnl = currentEquity - currentBalance
  return toJson({ currentEquity, unrealizedPnl, dailyLossRemaining, totalLossRemaining })
}

export function priceJson({ id, state: { indexPrice, updatedAt } }: MarketRecord): string {
  return toJson({ marketId: id, indexPrice, updatedAt })
}
