// How two other backtesters fill orders, as they document it, in a few lines of floating point: enough to play one strategy on
// the same bars and to explain every difference. Nothing here is taken from them.

/** A candle; times are not needed. */
export interface Candle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** A closed trade; bars count from 0, pnl is net of both fees. */
interface ModelTrade {
  readonly side: 1 | -1
  readonly size: number
  readonly entryBar: number
  readonly entry: number
  readonly exitBar: number
  readonly exit: number
  readonly pnl: number
}

interface Open {
  readonly side: 1 | -1
  readonly size: number
  readonly entryBar: number
  readonly entry: number
}

export interface ModelRun {
  readonly trades: readonly ModelTrade[]
  /** At the last close. */
  readonly equity: number
  /** What is still open then. */
  readonly open: Open | null
}

export interface ModelTerms {
  readonly cash: number
  /** Of the value of every fill. */
  readonly fee: number
  /** Only entries are charged: backtesting.py before 0.6, which its page still has the figures of. Default false. */
  readonly isFeeOfEntries?: boolean
}

/** 1 where the fast average has crossed above the slow one with this close, −1 below, else 0. */
export function crossings(closes: readonly number[], fast: number, slow: number): (1 | -1 | 0)[] {
  const averageAt = (bars: number, end: number) =>
    closes.slice(end - bars + 1, end + 1).reduce((sum, close) => sum + close, 0) / bars
  return closes.map((_, bar) => {
    if (bar < slow) return 0
    const [was, is] = [bar - 1, bar].map((at) => averageAt(fast, at) - averageAt(slow, at)) as [
      number,
      number,
    ]
    return was < 0 && is > 0 ? 1 : was > 0 && is < 0 ? -1 : 0
  })
}

/**
 * backtesting.py with `exclusive_orders`: what a bar's close decides is filled at the open of the next one; the position there was is closed
 * first; whole units for 99.99% of the equity, fee included. Where only entries are charged, the fee is part of their price, which makes that of
 * a short position lower.
 */
export function nextOpenRun(
  candles: readonly Candle[],
  signals: readonly number[],
  terms: ModelTerms,
): ModelRun {
  const book = new Book(terms)
  for (let bar = 1; bar < candles.length; bar++) {
    const signal = signals[bar - 1] as number
    if (signal === 0) continue
    const price = (candles[bar] as Candle).open
    book.close(bar, price)
    const fee = terms.isFeeOfEntries === true ? signal * terms.fee : terms.fee
    book.open(bar, price, signal as 1 | -1, wholeUnits(book.cash, price, fee))
  }
  return book.end(candles)
}

export function wholeUnits(cash: number, price: number, fee: number): number {
  return Math.floor((cash * 0.9999) / (price * (1 + fee)))
}

/** A run with stops: which of its trades they ended, and at which price they stood. */
export interface StoppedRun extends ModelRun {
  readonly stops: ReadonlyMap<number, number>
}

/**
 * jesse: a decision at a bar's close is filled at that close. An open position is left at the crossing against it, and the entry is asked
 * for once it is flat, a bar later. A stop-loss is filled at its own price, inside the bar that reaches it. Units are for a tenth of
 * the cash, whatever has been earned.
 */
export function atCloseRun(
  candles: readonly Candle[],
  signals: readonly number[],
  terms: ModelTerms & { readonly stop: number },
): StoppedRun {
  const book = new Book(terms)
  const stops = new Map<number, number>()
  let wanted = 0
  for (const [bar, { high, low, close }] of candles.entries()) {
    const signal = signals[bar] as number
    const { position } = book
    if (position !== null) {
      const stop = position.entry * (1 - position.side * terms.stop)
      if (position.side === 1 ? low <= stop : high >= stop) {
        stops.set(book.trades.length, stop)
        book.close(bar, stop)
      } else {
        if (signal !== -position.side) continue
        book.close(bar, close)
        wanted = signal
        continue
      }
    }
    const side = signal === 0 ? wanted : signal
    wanted = 0
    if (side !== 0) book.open(bar, close, side as 1 | -1, wholeUnits(terms.cash / 10, close, terms.fee))
  }
  return { ...book.end(candles), stops }
}

class Book {
  cash: number
  position: Open | null = null
  readonly trades: ModelTrade[] = []
  readonly #fee: number
  readonly #exitFee: number

  constructor({ cash, fee, isFeeOfEntries = false }: ModelTerms) {
    this.cash = cash
    this.#fee = fee
    this.#exitFee = isFeeOfEntries ? 0 : fee
  }

  open(bar: number, price: number, side: 1 | -1, size: number): void {
    this.cash -= size * price * this.#fee
    this.position = { side, size, entryBar: bar, entry: price }
  }

  close(bar: number, price: number): void {
    if (this.position === null) return
    const { side, size, entry } = this.position
    const gain = side * size * (price - entry)
    this.cash += gain - size * price * this.#exitFee
    const fees = size * (price * this.#exitFee + entry * this.#fee)
    this.trades.push({ ...this.position, exitBar: bar, exit: price, pnl: gain - fees })
    this.position = null
  }

  end(candles: readonly Candle[]): ModelRun {
    const last = candles.at(-1)?.close ?? 0
    const { position } = this
    const open = position === null ? 0 : position.side * position.size * (last - position.entry)
    return { trades: this.trades, equity: this.cash + open, open: position }
  }
}
