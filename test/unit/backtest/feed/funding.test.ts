import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fundingIndexFrom,
  fundingInstant,
  fundingRateAt,
  readFunding,
} from '../../../../src/backtest/feed/funding.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { scratchFile, scratchFolder } from './sampleMarket.ts'

const EIGHT_HOURS = 28_800_000
const MIDNIGHT = Date.UTC(2025, 2, 7)
const SPELLINGS = {
  'epoch milliseconds': 'funding_time_ms,funding_rate\n1741305600000,0.00006818\n1741334400005,-0.00000612\n',
  'with the mark price':
    'fundingTime,fundingRate,markPrice\n1741305600000,0.00006818,\n1741334400001,-0.00000612,90000.1\n',
  'Binance archive':
    'calc_time,funding_interval_hours,last_funding_rate\n1741305600000,8,0.00006818\n1741334400000,8,-0.00000612\n',
  'rate first': 'fundingRate,fundingTime\n0.00006818,1741305600000\n-0.00000612,1741334400000\n',
  'text without a header': '20250307 00:00:00,0.00006818\n20250307 08:00:00,-0.00000612\n',
  'lines with nothing on them': 'time,rate\n1741305600000,0.00006818\n\n1741334400000,-0.00000612\n\n',
  'text, last line not ended': '20250307 00:00:00,0.00006818\n20250307 08:00:00,-0.00000612',
}

describe('funding files', () => {
  test.each(Object.entries(SPELLINGS))('%s', async (_, text) => {
    for (const file of [scratchFile('f.csv', text), scratchFile('f.csv.gz', gzipSync(text))]) {
      const rates = await readFunding({ path: file })
      expect(Array.from(rates.time)).toEqual([MIDNIGHT, MIDNIGHT + EIGHT_HOURS])
      expect(Array.from(rates.rate)).toEqual([68_180n, -6_120n])
      expect(rates).toHaveLength(2)
    }
  })

  test('a folder is its files one after the other, each going on after the one before it', async () => {
    const folder = scratchFolder()
    mkdirSync(folder)
    const row = (hour: number, rate: string) => `${MIDNIGHT + hour * 3_600_000},${rate}\n`
    const write = (name: string, rows: string) =>
      writeFileSync(path.join(folder, name), `funding_time_ms,funding_rate\n${rows}`)
    write('b.csv', row(16, '0.0003') + row(24, '0.0004'))
    write('a.csv', row(0, '0.0001') + row(8, '0.0002'))
    writeFileSync(path.join(folder, 'SHA256SUMS'), 'a note\n')
    const rates = await readFunding({ path: folder })
    expect(Array.from(rates.time)).toEqual([0, 8, 16, 24].map((hour) => MIDNIGHT + hour * 3_600_000))
    expect(Array.from(rates.rate)).toEqual([100_000n, 200_000n, 300_000n, 400_000n])
    write('c.csv', row(24, '0.0004'))
    await expect(readFunding({ path: folder })).rejects.toThrow(
      /c\.csv: its first funding instant is not after/,
    )
  })

  test('a file cut off anywhere is refused or gives the rates before the cut', async () => {
    for (const text of Object.values(SPELLINGS)) {
      for (let length = 0; length < text.length; length++) {
        const read = await readFunding({ path: scratchFile('f.csv', text.slice(0, length)) }).catch(
          () => null,
        )
        if (read !== null) expect(Array.from(read.rate)).toEqual([68_180n, -6_120n].slice(0, read.length))
      }
    }
  })

  test('a last row without a line end may be cut off, where rates have different numbers of decimals', async () => {
    const path = scratchFile('f.csv', '20250307 00:00:00,0.0001\n20250307 08:00:00,-0.00000612')
    await expect(readFunding({ path })).rejects.toThrow(/:2: the last row has no line end/)
    expect((await readFunding({ path, lastRow: 'whole' })).rate[1]).toBe(-6_120n)
  })

  test('a tenth decimal is rounded, or refused on request', async () => {
    const path = scratchFile('f.csv', 'time,rate\n1741305600000,0.00001250255\n')
    expect((await readFunding({ path })).rate[0]).toBe(12_503n)
    await expect(readFunding({ path, excessDecimals: 'refuse' })).rejects.toThrow(/more than nine decimals/)
  })

  test.each([
    ['time,rate\n1741305600000,0.1\n1741305600004,0.2\n', /:3: the funding instant is not after/],
    ['time,rate\n1741305600000,\n', /:2: a number is missing/],
    ['time,rate\nsoon,1\n', /:2: the time "soon"/],
    ['time,rate\n1741305600000\n', /1 fields where 2/],
    ['time,colour\n1741305600000,1\n', /names no funding time and rate/],
  ])('%j is refused', async (text, reason) => {
    await expect(readFunding({ path: scratchFile('f.csv', text) })).rejects.toThrow(reason)
  })
})

describe('instants', () => {
  test('a time up to a minute away from a full hour is that hour, any other stays', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_000 }),
        fc.integer({ min: -1_800_000, max: 1_799_999 }),
        (hours, offset) => {
          const hour = hours * 3_600_000
          expect(fundingInstant(hour + offset)).toBe(Math.abs(offset) <= 60_000 ? hour : hour + offset)
        },
      ),
    )
  })

  test('the rate of an instant is found, and none for others', async () => {
    const rates = await readFunding({ path: scratchFile('f.csv', SPELLINGS['epoch milliseconds']) })
    expect(fundingRateAt(rates, MIDNIGHT)).toBe(fp9('0.00006818'))
    expect(fundingRateAt(rates, MIDNIGHT + 1)).toBeNull()
    expect(fundingRateAt(rates, MIDNIGHT + 2 * EIGHT_HOURS)).toBeNull()
    expect(
      [MIDNIGHT, MIDNIGHT + 1, MIDNIGHT + EIGHT_HOURS + 1].map((time) => fundingIndexFrom(rates, time)),
    ).toEqual([0, 1, 2])
  })
})
