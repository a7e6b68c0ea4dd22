// Runs of values, as a Parquet page holds them: what stands in them is counted as it was written, and never past the page.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRuns, ParquetUnsound } from '../../../../src/backtest/feed/formats/parquetBounds.ts'
import { varint } from './parquetBytes.ts'

/** A run: of one value again and again, or of eights of values of one bit packed behind each other. */
const run = fc.oneof(
  fc.record({ again: fc.integer({ min: 1, max: 300 }), value: fc.nat(1) }),
  fc.record({ packed: fc.array(fc.nat(255), { minLength: 1, maxLength: 6 }) }),
)

test('the ones among values of one bit are counted, wherever they end within the last eight', () => {
  fc.assert(
    fc.property(
      fc.array(run, { minLength: 1, maxLength: 6 }),
      fc.nat(7),
      fc.nat(5),
      (runs, short, before) => {
        const parts: Buffer[] = []
        const values: number[] = []
        for (const one of runs) {
          if ('again' in one) {
            parts.push(varint(one.again << 1), Buffer.of(one.value))
            for (let n = 0; n < one.again; n++) values.push(one.value)
          } else {
            parts.push(varint((one.packed.length << 1) | 1), Buffer.from(one.packed))
            for (const byte of one.packed) for (let bit = 0; bit < 8; bit++) values.push((byte >> bit) & 1)
          }
        }
        // A packed run holds whole eights; of the last of them a page may have fewer values.
        const count = values.length - ('packed' in (runs.at(-1) as object) ? short : 0)
        const bytes = Buffer.concat([Buffer.alloc(before, 0xff), ...parts])
        const ones = values.slice(0, count).reduce((sum, value) => sum + value, 0)
        expect(checkRuns(bytes, before, bytes.length, 1, count)).toBe(ones)
        expect(() => checkRuns(bytes, before, bytes.length - 3, 1, count)).toThrow(ParquetUnsound)
      },
    ),
  )
})

test('values of any width are passed over as they were written, whatever stands behind them', () => {
  const wide = fc.integer({ min: 2, max: 32 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      runs: fc.array(
        fc.oneof(
          fc.record({
            count: fc.integer({ min: 1, max: 300 }),
            value: fc.uint8Array({ minLength: (width + 7) >> 3, maxLength: (width + 7) >> 3 }),
          }),
          fc.record({ packed: fc.uint8Array({ minLength: width, maxLength: width }) }),
        ),
        { minLength: 3, maxLength: 8 },
      ),
    }),
  )
  fc.assert(
    fc.property(wide, ({ width, runs }) => {
      const parts = runs.flatMap((one) =>
        'packed' in one ? [varint((1 << 1) | 1), one.packed] : [varint(one.count << 1), one.value],
      )
      const count = runs.reduce((sum, one) => sum + ('packed' in one ? 8 : one.count), 0)
      const bytes = Buffer.concat([...parts, Buffer.alloc(40, 0xff)])
      const end = bytes.length - 40
      expect(checkRuns(bytes, 0, end, width, count)).toBe(0)
      // Of the last run as many bytes may lack as a value is wide.
      expect(checkRuns(bytes, 0, end - width, width, count)).toBe(0)
      expect(() => checkRuns(bytes, 0, end - width - 1, width, count)).toThrow(ParquetUnsound)
    }),
  )
})
