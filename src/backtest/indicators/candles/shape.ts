/**
 * A bar as a pattern of candles looks at it: body, shadows, colour, and whether each is long or short beside the bars before it. What is
 * long is as in TA-Lib: https://github.com/TA-Lib/ta-lib, `TA_CandleDefaultSettings`. Prices are fp9, so that nothing is rounded.
 */

/** How many bars tell what is usual. */
export const USUAL_BARS = 10
/** How many tell how near, far or equal prices are. */
const NEAR_BARS = 5

/** What the bars before a bar tell of it, in hundredths of a price step, so that each is whole. */
interface Usual {
  /** Mean body of ten bars: longer than that is long, shorter is short. */
  readonly body: bigint
  /** A tenth of their mean range: a body of a doji is at most as long, a shadow that is very short is shorter. */
  readonly tenth: bigint
  /** Half of what both shadows come to in their mean: a shadow that is short is shorter. */
  readonly shadow: bigint
  /** A fifth of the mean range of five bars. */
  readonly near: bigint
  /** Three fifths of it. */
  readonly far: bigint
  /** A twentieth of it. */
  readonly equal: bigint
}

/** The four prices of a bar, fp9. */
export interface CandlePrices {
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
}

export class CandleShape {
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  /** From the open to the close, either way. */
  readonly body: bigint
  /** The higher end of the body. */
  readonly top: bigint
  /** The lower end of the body. */
  readonly bottom: bigint
  readonly upper: bigint
  readonly lower: bigint
  readonly usual: Usual

  constructor({ open, high, low, close }: CandlePrices, usual: Usual) {
    this.open = open
    this.high = high
    this.low = low
    this.close = close
    this.top = close > open ? close : open
    this.bottom = close > open ? open : close
    this.body = this.top - this.bottom
    this.upper = high - this.top
    this.lower = this.bottom - low
    this.usual = usual
  }

  /** The same upside down. */
  turned(): CandleShape {
    const { open, high, low, close, usual } = this
    return new CandleShape({ open: -open, high: -low, low: -high, close: -close }, usual)
  }

  /** A bar that closes where it opened has no colour. */
  get isWhite(): boolean {
    return this.close > this.open
  }

  get isBlack(): boolean {
    return this.close < this.open
  }

  get isLong(): boolean {
    return 100n * this.body > this.usual.body
  }

  get isShort(): boolean {
    return 100n * this.body < this.usual.body
  }

  get isDoji(): boolean {
    return 100n * this.body <= this.usual.tenth
  }

  /** Hardly a shadow above. */
  get hasNoUpper(): boolean {
    return 100n * this.upper < this.usual.tenth
  }

  get hasNoLower(): boolean {
    return 100n * this.lower < this.usual.tenth
  }

  get hasUpper(): boolean {
    return 100n * this.upper > this.usual.tenth
  }

  get hasLower(): boolean {
    return 100n * this.lower > this.usual.tenth
  }

  /** Longer than the body. */
  get hasLongUpper(): boolean {
    return this.upper > this.body
  }

  get hasLongLower(): boolean {
    return this.lower > this.body
  }

  get hasShortUpper(): boolean {
    return 100n * this.upper < this.usual.shadow
  }

  get hasShortLower(): boolean {
    return 100n * this.lower < this.usual.shadow
  }

  /** A long body and hardly a shadow. */
  get isMarubozu(): boolean {
    return this.isLong && this.hasNoUpper && this.hasNoLower
  }

  /** The body is above that of another, without touching it. */
  isBodyAbove(other: CandleShape): boolean {
    return this.bottom > other.top
  }

  isBodyBelow(other: CandleShape): boolean {
    return this.top < other.bottom
  }

  /** The body is inside that of another, and does not reach its ends. */
  isBodyInside(other: CandleShape): boolean {
    return this.top < other.top && this.bottom > other.bottom
  }

  /** The bar, shadows and all, is inside another. */
  isInside(other: CandleShape): boolean {
    return this.high < other.high && this.low > other.low
  }

  /** How far a price is above another at most: within what is near, of this bar. */
  isWithin(kind: 'near' | 'far' | 'equal', price: bigint, other: bigint): boolean {
    return 100n * (price - other) <= this.usual[kind]
  }

  /** Two prices are as good as the same. */
  areEqual(price: bigint, other: bigint): boolean {
    return this.isWithin('equal', price, other) && this.isWithin('equal', other, price)
  }
}

/** The last bars of a market as shapes, newest first, as they are and upside down. Only so many are kept. */
export class CandleShapes {
  readonly upright: CandleShape[] = []
  readonly turned: CandleShape[] = []
  readonly #kept: number
  /** Newest first, of the bars that tell what is usual. */
  readonly #before: CandleShape[] = []
  #bodies = 0n
  #ranges = 0n
  #shadows = 0n
  #nearRanges = 0n

  constructor(kept: number) {
    this.#kept = kept
  }

  add(bar: CandlePrices): void {
    const shape = new CandleShape(bar, this.#usual())
    this.upright.unshift(shape)
    this.turned.unshift(shape.turned())
    if (this.upright.length > this.#kept) {
      this.upright.pop()
      this.turned.pop()
    }
    this.#count(shape, 1n)
    this.#nearRanges += shape.high - shape.low
    this.#before.unshift(shape)
    const far = this.#before[NEAR_BARS]
    if (far !== undefined) this.#nearRanges -= far.high - far.low
    const oldest = this.#before[USUAL_BARS]
    if (oldest === undefined) return
    this.#count(oldest, -1n)
    this.#before.length = USUAL_BARS
  }

  #count({ body, upper, lower, high, low }: CandleShape, times: bigint): void {
    this.#bodies += times * body
    this.#ranges += times * (high - low)
    this.#shadows += times * (upper + lower)
  }

  #usual(): Usual {
    const [bodies, ranges, near] = [this.#bodies, this.#ranges, this.#nearRanges]
    return {
      body: 10n * bodies,
      tenth: ranges,
      shadow: 5n * this.#shadows,
      near: 4n * near,
      far: 12n * near,
      equal: near,
    }
  }
}
