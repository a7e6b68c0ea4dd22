// Mistakes in what is checked of a Parquet file before it is followed.

import type { Edit, Mutant } from './mutant.ts'

function mutant(breaks: string, file: string, edit: Edit): Mutant {
  return {
    breaks,
    file: `src/backtest/feed/formats/${file}`,
    edits: [edit],
    tests: ['unit/backtest/feed/parquetBombs.test.ts'],
  }
}

export const PARQUET_MUTANTS: readonly Mutant[] = [
  mutant('a run of a Parquet page may have any length', 'parquetBounds.ts', [
    'if (count > values - seen)',
    'if (count < 0)',
  ]),
  mutant('differences of a Parquet page are followed as they come', 'parquetPages.ts', [
    'if (values > 0) checkDeltas(body, 0, values)',
    'if (values < 0) checkDeltas(body, 0, values)',
  ]),
  mutant('a Parquet page unpacks further than it says', 'parquetPages.ts', [
    'zlib.gunzipSync(packed, { maxOutputLength: size + 1 })',
    'zlib.gunzipSync(packed, { maxOutputLength: 2 ** 30 })',
  ]),
  mutant('a Parquet page may say to unpack to anything', 'parquetPages.ts', [
    'if (!(unpacked >= 0 && unpacked <=',
    'if (!(unpacked >= 0 || unpacked <=',
  ]),
  mutant('texts of a Parquet page may grow as the square', 'parquetPages.ts', [
    'if (bytes > PAGE_BYTES + values * TEXT_BYTES)',
    'if (bytes === Number.POSITIVE_INFINITY)',
  ]),
  mutant('a Parquet file has as many rows as it says', 'parquetFile.ts', [
    'if (!(rows <= ROWS_AT_ALL + ROWS_PER_BYTE * this.#bytes))',
    'if (Number.isNaN(rows))',
  ]),
  mutant('pages of a Parquet file may be described twice', 'parquetFile.ts', [
    'if (index > 0 && start < (chunks[index - 1] as Chunk).end)',
    'if (index > 0 && start < 0)',
  ]),
  mutant('the description of a Parquet file may have any number of parts', 'parquetBounds.ts', [
    'if (this.#elements > MOST_ELEMENTS)',
    'if (this.#elements < 0)',
  ]),
]
