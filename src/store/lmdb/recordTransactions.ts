/**
 * How records are cut into transactions, so that none holds others up however much a tick set off
 * (K15). A commit with more records than one transaction takes is written in parts: what is kept then says how many of its
 * records are there already, and whoever tells it again goes on behind them.
 */
import type { CommitRecords, KeyedRecord } from '../recordStore.ts'
import { hexOf } from './bufferOver.ts'

/** A commit that is not written whole. */
export interface Part {
  readonly seq: number
  /** How many of its records are written: the first ones, in the order in which they are told. */
  readonly records: number
}

export interface RecordTransaction {
  /** Never written before. */
  readonly records: readonly KeyedRecord[]
  /** In the place of others. */
  readonly latest: readonly KeyedRecord[]
  /** The last commit that is whole with it. */
  readonly cursor: number
  /** What is written of the next one with it; null: nothing. */
  readonly part: Part | null
}

/**
 * The transactions that write whole commits. `written`: how far what is kept is; `cursor`: how far it is with the last
 * transaction; `atATime`: records of one, beside those in the place of others, which are few.
 */
export function* transactionsOf(
  changes: readonly CommitRecords[],
  cursor: number,
  written: Pick<RecordTransaction, 'cursor' | 'part'>,
  atATime: number,
): Generator<RecordTransaction, void> {
  let whole = written.cursor
  let records: KeyedRecord[] = []
  let completed: CommitRecords[] = []
  for (const told of changes) {
    const already = written.part?.seq === told.seq ? written.part.records : 0
    let count = 0
    for (const record of told.records()) {
      count += 1
      if (count <= already) continue
      records.push(record)
      if (records.length < atATime) continue
      yield { records, latest: latestOf(completed), cursor: whole, part: { seq: told.seq, records: count } }
      records = []
      completed = []
    }
    whole = told.seq
    completed.push(told)
  }
  yield { records, latest: latestOf(completed), cursor, part: null }
}

/** Of every key the record that was told last. */
function latestOf(changes: readonly CommitRecords[]): KeyedRecord[] {
  const latest = new Map<string, KeyedRecord>()
  for (const told of changes) for (const record of told.latest) latest.set(hexOf(record.key), record)
  return [...latest.values()]
}
