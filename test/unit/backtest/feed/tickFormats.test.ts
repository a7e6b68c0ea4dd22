import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { decimal, price, readBars, readTicks, scratchFile, scratchFolder } from './sampleMarket.ts'

const MIDNIGHT = Date.UTC(2024, 0, 2)
/** Times of one day, ascending, some equal. */
const times = fc
  .array(fc.nat(86_399_999), { minLength: 1, maxLength: 30 })
  .map((list) => list.sort((a, b) => a - b))
const trades = times.chain((list) =>
  fc
    .tuple(...list.map((time) => fc.tuple(fc.constant(time), price)))
    .map((rows) => rows.map(([time, value]) => ({ time: MIDNIGHT + time, price: value }))),
)
const quotes = times.chain((list) =>
  fc
    .tuple(...list.map((time) => fc.tuple(fc.constant(time), price, price)))
    .map((rows) =>
      rows.map(([time, bid, ask]) => ({ time: MIDNIGHT + time, bid, ask, price: (bid + ask) / 2n })),
    ),
)

function leanFile(folders: string, name: string, entry: string, text: string): string {
  const folder = path.join(scratchFolder(), folders)
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, name)
  writeFileSync(file, zipSync({ [entry]: Buffer.from(text) }))
  return file
}

describe('trades are read as they were written', () => {
  const TRADES: Record<string, (rows: readonly { time: number; price: bigint }[]) => string> = {
    'Binance aggTrades of spot': (rows) =>
      rows
        .map(({ time, price }, id) => `${id},${decimal(price)},1.5,${id},${id},${time},True,True\n`)
        .join(''),
    'Binance aggTrades of futures': (rows) =>
      `agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n${rows
        .map(({ time, price }, id) => `${id},${decimal(price)},1.5,${id},${id},${time},true\n`)
        .join('')}`,
    'Binance trades in microseconds': (rows) =>
      rows.map(({ time, price }, id) => `${id},${decimal(price)},1,1,${time}999,true,true\n`).join(''),
    'Mt. Gox': (rows) =>
      `id,price,amount,type\n${rows.map(({ time, price }) => `${time}017,${decimal(price)},0.01,ask\n`).join('')}`,
    'any names': (rows) =>
      `timestamp,side,price\n${rows.map(({ time, price }) => `${time},buy,${decimal(price)}\n`).join('')}`,
    nanoseconds: (rows) =>
      `ts;px\n${rows.map(({ time, price }) => `${time}123456;${decimal(price)}\n`).join('')}`,
  }

  test.each(Object.entries(TRADES))('%s', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(trades, async (rows) => {
        expect(await readTicks({ path: scratchFile('trades.csv', write(rows)) })).toEqual(rows)
      }),
      { numRuns: 40 },
    )
  })

  test('Bitstamp', async () => {
    const file = scratchFile('b.csv', '1315922016,5.800000000000,1.000000000000\n1315922024,5.83,3\n')
    expect(await readTicks({ path: file })).toEqual([
      { time: 1_315_922_016_000, price: fp9('5.8') },
      { time: 1_315_922_024_000, price: fp9('5.83') },
    ])
    expect((await openFeed({ path: file })).format).toBe('bitstamp-trades')
  })
})

describe('quotes are read as they were written, with their mid rounded down', () => {
  test('named columns', async () => {
    await fc.assert(
      fc.asyncProperty(quotes, async (rows) => {
        const text = rows.map(({ time, bid, ask }) => `${time}|${decimal(ask)}|${decimal(bid)}\n`).join('')
        expect(await readTicks({ path: scratchFile('q.csv', `time|best_ask_price|Bid\n${text}`) })).toEqual(
          rows,
        )
      }),
      { numRuns: 40 },
    )
  })

  test('LEAN, with fractions of a millisecond', async () => {
    await fc.assert(
      fc.asyncProperty(quotes, async (rows) => {
        const text = rows
          .map(({ time, bid, ask }) => `${time - MIDNIGHT}.9999,${decimal(bid)},${decimal(ask)}`)
          .join('\n')
        const file = leanFile('cfd/oanda/tick/x', '20240102_quote.zip', '20240102_x_tick_quote.csv', text)
        expect(await readTicks({ path: file })).toEqual(rows)
      }),
      { numRuns: 40 },
    )
  })
})

describe('LEAN', () => {
  const entry = '20131007_spy_Trade_Tick.csv'
  const ticks = '34200000,1674100,100,P,20002000,0\n34200001,1674200,100,P,0,1\n34200002,1674300,100,P,0,0'

  test('equities are in New York and multiplied by 10000; suspicious ticks are left out and counted', async () => {
    const file = leanFile('equity/usa/tick/spy', '20131007_trade.zip', entry, ticks)
    const feed = await openFeed({ path: file })
    expect(await readTicks({ path: file })).toEqual([
      { time: Date.UTC(2013, 9, 7, 13, 30), price: fp9('167.41') },
      { time: Date.UTC(2013, 9, 7, 13, 30, 0, 2), price: fp9('167.43') },
    ])
    for await (const _ of feed);
    expect(feed.summary()).toMatchObject({ rows: 2, skipped: 1, firstSkipped: [{ line: 2 }] })
  })

  test('a file outside its folders is read only if told what they would have told', async () => {
    const file = leanFile('downloads', '20131007_trade.zip', entry, ticks)
    await expect(openFeed({ path: file })).rejects.toThrow(/give timeZone, and priceDivisor/)
    const [first] = await readTicks({ path: file, timeZone: '-04:00', priceDivisor: 10_000 })
    expect(first).toEqual({ time: Date.UTC(2013, 9, 7, 13, 30), price: fp9('167.41') })
  })

  test('quote bars are bars of mids, rounded down', async () => {
    const text = '0,1,3,0.5,2,9,1.000000001,3.5,0.75,2.5,9\n60000,2,2,2,2,0,3,3,3,3,0'
    const file = leanFile(
      'forex/fxcm/minute/eurusd',
      '20240102_quote.zip',
      '20240102_eurusd_minute_quote.csv',
      text,
    )
    const feed = await openFeed({ path: file })
    expect(feed).toMatchObject({ kind: 'bars', intervalMs: 60_000 })
    expect(await readBars({ path: file })).toEqual([
      {
        openTime: MIDNIGHT + 5 * 3_600_000,
        open: fp9('1'),
        high: fp9('3.25'),
        low: fp9('0.625'),
        close: fp9('2.25'),
        volume: 0,
      },
      {
        openTime: MIDNIGHT + 5 * 3_600_000 + 60_000,
        open: fp9('2.5'),
        high: fp9('2.5'),
        low: fp9('2.5'),
        close: fp9('2.5'),
        volume: 0,
      },
    ])
  })

  test.each([
    ['crypto/x/second/btc', '20240102_trade.zip', '20240102_btc_second_trade.csv', '0', 1_000],
    ['crypto/x/minute/btc', '20240102_trade.zip', '20240102_btc_minute_trade.csv', '0', 60_000],
    ['crypto/x/hour', 'btc_trade.zip', 'btc.csv', '20240102 00:00', 3_600_000],
    ['crypto/x/daily', 'btc_trade.zip', 'btc.csv', '20240102 00:00', 86_400_000],
  ])('in %s a single bar is as long as its folder says', async (folder, zip, name, time, intervalMs) => {
    const feed = await openFeed({ path: leanFile(folder, zip, name, `${time},9,9,9,9,1`) })
    expect(feed).toMatchObject({ kind: 'bars', intervalMs })
  })

  test('a quote with one side is no quote', async () => {
    const text = '0,1,3,0.5,2,9,0,0,0,0,9\n'
    const file = leanFile(
      'crypto/x/minute/eurusd',
      '20240102_quote.zip',
      '20240102_eurusd_minute_quote.csv',
      text,
    )
    await expect(readBars({ path: file })).rejects.toThrow(/:1: in column 7, the price is not above zero/)
  })

  test('days of New York may be 23 hours long', async () => {
    const rows = ['20130309', '20130310', '20130311'].map((day) => `${day} 00:00,10000,10000,10000,10000,1`)
    const file = leanFile('equity/usa/daily', 'spy.zip', 'spy.csv', rows.join('\n'))
    expect((await readBars({ path: file })).map(({ openTime }) => openTime)).toEqual([
      Date.UTC(2013, 2, 9, 5),
      Date.UTC(2013, 2, 10, 5),
      Date.UTC(2013, 2, 11, 4),
    ])
  })

  test.each([
    ['20240102_x_tick_quote.csv', '1,2', /do not have 2 columns/],
    ['20240102_x_minute_trade.csv', '1,2,3', /6 or 11 columns, not 3/],
    ['20241302_x_minute_trade.csv', '1,2,3', /date that does not exist/],
  ])('%s with %s', async (name, text, reason) => {
    await expect(openFeed({ path: leanFile('crypto/x/tick/x', 'x.zip', name, text) })).rejects.toThrow(reason)
  })

  test('a time behind the end of the day is refused', async () => {
    const file = leanFile('crypto/x/tick/x', 'x.zip', '20240102_x_tick_quote.csv', '86400000,2,3')
    await expect(readTicks({ path: file })).rejects.toThrow(/not a time of day/)
  })
})

describe('captures of the Binance websocket', () => {
  const line = (ns: string, stream: string, data: object) => `${ns} ${JSON.stringify({ stream, data })}\n`
  const text = [
    line('1723161255088156767', 'btcusdt@depth@0ms', {
      e: 'depthUpdate',
      s: 'BTCUSDT',
      b: [['1', '2']],
      a: [],
    }),
    line('1723161255088169167', 'btcusdt@bookTicker', {
      s: 'BTCUSDT',
      b: '61800.20',
      B: '2',
      a: '61800.30',
      A: '2',
    }),
    line('1723161255088176367', 'btcusdt@trade', { e: 'trade', s: 'BTCUSDT', p: '61800.30', q: '0.006' }),
    line('1723161255090000000', 'btcusdt@bookTicker', {
      s: 'BTCUSDT',
      b: '61801',
      B: '2',
      a: '61802',
      A: '2',
    }),
  ].join('')

  test('quotes, or trades', async () => {
    const path = scratchFile('capture', text)
    expect(await readTicks({ path })).toEqual([
      { time: 1_723_161_255_088, price: fp9('61800.25'), bid: fp9('61800.2'), ask: fp9('61800.3') },
      { time: 1_723_161_255_090, price: fp9('61801.5'), bid: fp9('61801'), ask: fp9('61802') },
    ])
    expect(await readTicks({ path, captureOf: 'trades' })).toEqual([
      { time: 1_723_161_255_088, price: fp9('61800.3') },
    ])
  })

  test('a capture cut off anywhere is refused or gives the ticks before the cut', async () => {
    const whole = await readTicks({ path: scratchFile('capture', text) })
    for (let length = 0; length < text.length; length++) {
      const read = await readTicks({ path: scratchFile('capture', text.slice(0, length)) }).catch(() => [])
      expect(whole.slice(0, read.length)).toEqual(read)
    }
  })

  test('one capture is about one market', async () => {
    const other = line('1723161255099000000', 'ethusdt@bookTicker', { s: 'ETHUSDT', b: '1', a: '2' })
    await expect(readTicks({ path: scratchFile('capture', text + other) })).rejects.toThrow(
      /:5: the message cannot be read \(it is about ETHUSDT, those before it about BTCUSDT\)/,
    )
  })
})

describe('Dukascopy', () => {
  test('quotes coded as differences', async () => {
    const path = scratchFile(
      't.json',
      '{"timestamp":1783944000000,"multiplier":1.0E-5,"ask":1.14277,"bid":1.14273,"times":[93,104,154],' +
        '"asks":[0,-2,-2],"bids":[0,-2,1],"askVolumes":[1.0,2.0,3.0],"bidVolumes":[1.0,2.0,3.0]}',
    )
    expect(await readTicks({ path })).toEqual([
      { time: 1_783_944_000_093, bid: fp9('1.14273'), ask: fp9('1.14277'), price: fp9('1.14275') },
      { time: 1_783_944_000_197, bid: fp9('1.14271'), ask: fp9('1.14275'), price: fp9('1.14273') },
      { time: 1_783_944_000_351, bid: fp9('1.14272'), ask: fp9('1.14273'), price: fp9('1.142725') },
    ])
  })

  test('candles coded as differences', async () => {
    const path = scratchFile(
      'c.json',
      '{"timestamp":1783641600000,"multiplier":0.001,"open":2,"high":3,"low":1,"close":2,"shift":60000,' +
        '"times":[0,1,2],"opens":[0,1,1],"highs":[0,-5,5],"lows":[0,1,-1],"closes":[0,-7,7],"volumes":[197.1,0,2]}',
    )
    const feed = await openFeed({ path })
    expect(feed).toMatchObject({ kind: 'bars', intervalMs: 60_000, format: 'dukascopy' })
    const rows = await readBars({ path })
    expect(rows.map(({ openTime }) => openTime - 1_783_641_600_000)).toEqual([0, 60_000, 180_000])
    expect(rows[2]).toMatchObject({
      open: fp9('2.002'),
      high: fp9('3'),
      low: fp9('1'),
      close: fp9('2'),
      volume: 2,
    })
  })

  test('a difference that is no whole number ends the reading', async () => {
    const path = scratchFile(
      't.json',
      '{"timestamp":1783944000000,"multiplier":1.0E-5,"ask":1.2,"bid":1.1,"times":[1,1],"asks":[0,0.5],"bids":[0,0]}',
    )
    await expect(readTicks({ path, onBadRow: 'skip' })).rejects.toThrow(/:2: "0.5" is not a whole number/)
  })

  test('quotes as objects', async () => {
    const path = scratchFile(
      't.json',
      '[\n{"timestamp":1676894400084,"askPrice":24921.5,"bidPrice":24849.4}\n]',
    )
    expect(await readTicks({ path })).toEqual([
      { time: 1_676_894_400_084, bid: fp9('24849.4'), ask: fp9('24921.5'), price: fp9('24885.45') },
    ])
  })
})
