/** What a stream tells, one JSON object each, written once for everybody who hears it. */
import type { Engine } from '../../engine/engine.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { formatInstant } from '../../projections/wire.ts'
import { toJson } from '../json.ts'
import { orderJson } from '../orderJson.ts'
import { positionEventJson } from '../positionJson.ts'
import type { Change } from './accountFold.ts'
import type { ToldAccount } from './toldAccount.ts'

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
  #json: string | null = null
  #event: string | null = null
  #lastEvent: string | null = null
  #frame: Buffer | null = null
  #lastFrame: Buffer | null = null

  constructor(terms: MessageTerms) {
    this.seq = terms.seq
    this.#terms = terms
  }

  /** The message as JSON. */
  get json(): string {
    if (this.#json === null) {
      const { type, seq, at, accountId, data } = this.#terms
      const whose = accountId === undefined ? '' : `,"accountId":${JSON.stringify(accountId)}`
      this.#json = `{"type":"${type}","seq":${seq},"at":"${formatInstant(at)}"${whose},"data":${data()}}`
    }
    return this.#json
  }

  /** The same as a Server-Sent Event. */
  get event(): string {
    this.#event ??= `data: ${this.json}\n\n`
    return this.#event
  }

  /** The same, with the `id` that says that everything of its commit has been. */
  get lastEvent(): string {
    this.#lastEvent ??= `id: ${this.seq}\n${this.event}`
    return this.#lastEvent
  }

  /** The same as a frame of a WebSocket. */
  get frame(): Buffer {
    this.#frame ??= textFrame(this.json)
    return this.#frame
  }

  /** The same, with the `id` that says that everything of its commit has been. */
  get lastFrame(): Buffer {
    this.#lastFrame ??= textFrame(`{"id":${this.seq},${this.json.slice(1)}`)
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

/** An unmasked text frame, whole (RFC 6455, 5.2): written once, where the library would write one for every reader. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, head)
  return frame
}

/** Whether another commit follows after the message at that place. Of the last one whoever sends them knows. */
export function endsCommit(messages: readonly Message[], at: number): boolean {
  const [message, next] = [messages[at], messages[at + 1]]
  return message !== undefined && next !== undefined && message.seq !== next.seq
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

/** What an event made of an order or a position; null where it made nothing. */
export function changeMessage(change: NonNullable<Change>, seq: number, at: number): Message
export function changeMessage(change: Change, seq: number, at: number): Message | null
export function changeMessage(change: Change, seq: number, at: number): Message | null {
  if (change === null) return null
  const { accountId } = change.record
  const data = () => (change.type === 'order' ? orderJson(change.record) : positionEventJson(change.record))
  return new Message({ type: change.type, seq, at, accountId, data })
}

/** Whether an account is another than was told, but for what moves with every price. */
export function isToldAnew({ record, standing }: ToldAccount, told: ToldAccount | null): boolean {
  return (
    told === null ||
    standing.locked !== told.standing.locked ||
    standing.loaded !== told.standing.loaded ||
    !isSameBut(record, told.record, 'riskStatus') ||
    !isSameBut(record.riskStatus, told.record.riskStatus, ...MOVES_WITH_PRICES)
  )
}

const MOVES_WITH_PRICES = ['currentEquity', 'dailyLossRemaining', 'totalLossRemaining'] as const

/** Whether two of a kind have the same values, but for the fields `left` out. */
function isSameBut<T extends object>(one: T, other: T, ...left: readonly (keyof T)[]): boolean {
  for (const field in one) if (one[field] !== other[field] && !left.includes(field)) return false
  return true
}

export function priceJson({ id, state: { indexPrice, updatedAt } }: MarketRecord): string {
  return toJson({ marketId: id, indexPrice, updatedAt })
}
