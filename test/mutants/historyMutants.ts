// Mistakes about the history lists, their pages on disk, and what is derived from a log.

import { type Mutant, mutant } from './mutant.ts'

const RANKS = 'unit/history/listRanks.test.ts'
const HELD = 'unit/history/heldRecords.test.ts'
const LISTS = 'history/lists.test.ts'
const PENDING = 'unit/history/pendingHistory.test.ts'
const CHECK = 'store/recordCheck.test.ts'
const DERIVED = 'store/derived.test.ts'
const SERVED = 'store/servedRecords.test.ts'
const FOLD = 'properties/historyFold.test.ts'
const LOGGED = 'unit/history/loggedRecords.test.ts'
const LOG = 'store/commitLog.test.ts'

export const HISTORY_MUTANTS: readonly Mutant[] = [
  mutant(
    'the last order of every full chunk vanishes from pages',
    'history/listRanks.ts',
    ['Math.min(first + CHUNK, list.created) - 1', 'Math.min(first + CHUNK - 1, list.created) - 1'],
    RANKS,
  ),
  mutant(
    'a replaced order is not counted among those left out',
    'history/listRanks.ts',
    ['  list.replaced += 1\n', '  list.replaced += 0\n'],
    RANKS,
  ),
  mutant(
    'history is written one commit ahead of what is durable (K7)',
    'history/pendingHistory.ts',
    ['return told.seq > durable ||', 'return told.seq > durable + 1 ||'],
    PENDING,
  ),
  mutant(
    'after a write that failed the lists are written on, and pass over what it lost (K8)',
    'history/pendingHistory.ts',
    ['this.#waiting.length > 0 && !this.#failed)', 'this.#waiting.length > 0)'],
    PENDING,
  ),
  mutant(
    'closing after a write that failed says that the lists have what it lost (K8)',
    'history/pendingHistory.ts',
    ['if (!this.#failed && this.#durable > this.#index.cursor)', 'if (this.#durable > this.#index.cursor)'],
    PENDING,
  ),
  mutant(
    'lists are written in transactions as large as while nobody waits, once somebody does (K15)',
    'history/pendingHistory.ts',
    ['    this.#recovering = false\n', ''],
    PENDING,
  ),
  mutant(
    'what is being written when the log has been told again is not found',
    'history/pendingHistory.ts',
    ['for (const told of [...this.#taken, ...this.#waiting])', 'for (const told of this.#waiting)'],
    PENDING,
  ),
  mutant(
    'what was written before anybody looked it up stays where it is looked up',
    'history/pendingLookup.ts',
    ['this.#leaveOut(this.#leftOut.slice(this.#first + written.length - served))', ''],
    PENDING,
  ),
  mutant(
    'ids of a record that waits refer to those of the one before it',
    'history/historyRecords.ts',
    ['    writer.forgetIds()\n', ''],
    HELD,
  ),
  mutant(
    'what waits begins a block at every record, or none at all',
    'history/heldRecords.ts',
    ['if (length - writer.at < ROOM)', 'if (length < ROOM)'],
    HELD,
  ),
  mutant(
    'an order that waits is told once more among what its position went through',
    'history/pendingLookup.ts',
    ['this.#events.set(sequence, [event])', 'this.#events.set(sequence, [event, event])'],
    LISTS,
  ),
  mutant(
    'the first commit that was not told before is taken for one that was',
    'history/storedHistory.ts',
    ['this.#again &&= seq < this.#index.cursor', 'this.#again &&= seq <= this.#index.cursor'],
    'store/recovery.test.ts',
  ),
  mutant(
    'lists that go on from a snapshot follow the positions that the engine changes, and change them a second time',
    'history/storedHistory.ts',
    ['const position = { ...record }', 'const position = record'],
    'history/lists.test.ts',
  ),
  mutant(
    'rows that are in the tables already are written again after a restart',
    'history/tabledHistory.ts',
    ['commit.seq <= this.#queue.cursor ? null : new CommitPast(commit)', 'new CommitPast(commit)'],
    'history/lists.test.ts',
  ),
  mutant(
    'positions that were open in a snapshot have never been opened when lists go on from it',
    'history/recordFold.ts',
    [
      'this.served.follow(record.id, this.served.restorePosition(record, place))',
      'this.served.restorePosition(record, place)',
    ],
    'history/lists.test.ts',
  ),
  mutant(
    'lists that hold more than the snapshot are told the rest a second time',
    'history/storedHistory.ts',
    ['    this.#again = seq < this.#index.cursor\n', '    this.#again = false\n'],
    'store/recovery.test.ts',
  ),
  mutant(
    'what an account does in a later phase is listed under its first (H3)',
    'history/identities.ts',
    ['const phase = this.#phaseOf(accountId) + 1', 'const phase = this.#phaseOf(accountId)'],
    FOLD,
  ),
  mutant(
    'accounts are not counted among what was created (I10)',
    'history/identities.ts',
    ['    this.#created += 1\n    this.#set', '    this.#set'],
    FOLD,
  ),
  mutant(
    'a position of many events is listed as it was when they became many',
    'history/memoryHistory.ts',
    [
      '    if (count >= few) positionRecipe(this.#standing.get(number) as Position, event, at)\n',
      '    if (count === few) positionRecipe(this.#standing.get(number) as Position, event, at)\n',
    ],
    'unit/history/history.test.ts',
  ),
  mutant(
    'what happened to an open position is forgotten with each thing that happens to it',
    'history/loggedRecords.ts',
    [
      'this.#chains.add(this.#seq, index, before, order), count + 1)',
      'this.#chains.add(this.#seq, index, before, order), 0)',
    ],
    'history/lists.test.ts',
  ),
  mutant(
    'a position that opens under a number that was given back has the events of the one before',
    'history/keptRecords.ts',
    ['    this.#eventCounts.set(number, 0)\n', ''],
    'history/lists.test.ts',
  ),
  mutant(
    'funding is left out of the ledger that is folded from postings (C11)',
    'projections/ledgerBalances.ts',
    ['    payFunding: post,\n', ''],
    'properties/projections.test.ts',
  ),
  mutant(
    'a deposit is left out of what an account began with, where records are folded from events',
    'projections/accountRecords.ts',
    ['      record.initialAccountBalance += event.amount\n', ''],
    'properties/projections.test.ts',
  ),
  mutant(
    'a row of a projection stays after its end',
    'projections/projection.ts',
    ['if (row === null) this.#rows.delete(key)\n      else this', 'if (row !== null) this'],
    'unit/engine/projections.test.ts',
  ),
  mutant(
    'a row that ended and begins anew in one commit goes on with what it was',
    'projections/projection.ts',
    ['before === undefined ? this.#row(key)', 'before == null ? this.#row(key)'],
    'unit/engine/projections.test.ts',
  ),
  mutant(
    'a snapshot exactly one commit ahead of the log is used (K7)',
    'engine/recovery.ts',
    ['if (snapshot.seq > session.head)', 'if (snapshot.seq > session.head + 1)'],
    'store/recovery.test.ts',
  ),
  mutant(
    'a record is served whatever its seal says (K8)',
    'store/lmdb/sealedRecord.ts',
    [
      'if (length < 0 || sealOf(stored) !== crc32(stored, 0, length, crc32(key, 0, key.length)))',
      'if (length < 0)',
    ],
    CHECK,
  ),
  mutant(
    'a record that is gone from the lists is not missed (K8)',
    'store/lmdb/recordCheck.ts',
    ['if (records !== tally.records)', 'if (records < tally.records)'],
    CHECK,
  ),
  mutant(
    'an older version of a record passes for the newest (K8)',
    'store/lmdb/recordCheck.ts',
    ['return sum === tally.sum ? null', 'return sum >= 0 ? null'],
    CHECK,
  ),
  mutant(
    'lists that cannot be trusted are kept (K8)',
    'store/lmdb/recordIndex.ts',
    [
      'if (removed !== null) await removeRecords(directory)',
      'if (removed === undefined) await removeRecords(directory)',
    ],
    CHECK,
  ),
  mutant(
    'lists that turned out to be damaged are served on (K8)',
    'store/lmdb/servedRecords.ts',
    ['    this.#reading = unread(damaged)\n', ''],
    SERVED,
  ),
  mutant(
    'lists that turned out to be damaged are kept for the next start (K8)',
    'store/lmdb/servedRecords.ts',
    ['    await removeRecords(directory)\n', ''],
    SERVED,
  ),
  mutant(
    'nobody is told that the lists are damaged (K8)',
    'history/pendingHistory.ts',
    [
      "index.checked.catch((cause) => this.#fail('the",
      "index.checked.catch((cause) => index.cursor < 0 && this.#fail('the",
    ],
    SERVED,
  ),
  mutant(
    'a search backwards ends at the first record of a page',
    'store/lmdb/pageSearch.ts',
    ['      way.pop()\n', '      return []\n'],
    SERVED,
  ),
  mutant(
    'a record that says something else than the log is right (K9)',
    'store/lmdb/recordComparison.ts',
    ['if (!stored.equals(sealed(key, bytes)))', 'if (stored.length < bytes.length)'],
    DERIVED,
  ),
  mutant(
    'a snapshot of another state passes (K9)',
    'engine/derived.ts',
    ['if (restored.stateHash() !== folded.stateHash())', 'if (restored.world.seq !== folded.world.seq)'],
    DERIVED,
  ),
  mutant(
    'lists that cannot be written stop the engine, and what waits for the log is not told',
    'engine/open.ts',
    ['journal.fail(stopped(message, cause))', 'stopped(message, cause)'],
    'unit/engine/durability.test.ts',
  ),
  mutant(
    'the log is written on while the lists have no room for what it tells them (K15)',
    'engine/journal.ts',
    ['else void this.#appendAfter(room)', 'else void this.#append()'],
    'unit/engine/durability.test.ts',
  ),
  mutant(
    'a commit is written after the lists have failed (K6)',
    'engine/journal.ts',
    ['if (this.#failure === null) await this.#append()', 'await this.#append()'],
    'unit/engine/durability.test.ts',
  ),
  mutant(
    'an id that a commit made among many leads to the one before it',
    'history/storedHistory.ts',
    [
      'if (near.seq === seq) yield near.before + 1 + index',
      'if (near.seq === seq) yield near.before + index',
    ],
    'history/recordStore.test.ts',
  ),
  mutant(
    'what a large commit created is not remembered, and not found by its ids',
    'history/storedHistory.ts',
    [
      'if (stretchOf(before) !== stretchOf(after) && !this.#again)',
      'if (after - before > 1_000 && !this.#again)',
    ],
    'history/recordStore.test.ts',
  ),
  mutant(
    'in a commit of many events one is read with ids of the run before it',
    'store/commitRuns.ts',
    [
      '    reader.at = start + reader.uint32()\n    reader.forgetIds()\n',
      '    reader.at = start + reader.uint32()\n',
    ],
    LOG,
  ),
  mutant(
    'in a commit of many events the last run leads to the one before it',
    'store/commitRuns.ts',
    ['reader.at = table + 4 * (run - 1)', 'reader.at = table + 4 * Math.max(run - 2, 0)'],
    LOG,
  ),
  mutant(
    'events that the caller was given are read as history, whatever the caller makes of them (K16)',
    'store/commitLog.ts',
    ['    this.#coming = null\n', ''],
    LOGGED,
  ),
  mutant(
    'the run of another commit is read where that of the same number was read last',
    'store/commitLog.ts',
    ['if (run.seq === seq && run.index === index) return run', 'if (run.index === index) return run'],
    LOGGED,
  ),
  mutant(
    'places of what happened to the positions of a finished phase keep their room (H3)',
    'history/loggedRecords.ts',
    ['    this.#chains.drop(last)\n', ''],
    LOGGED,
  ),
  mutant(
    'records of positions of many events keep their room when the phase is finished (H3)',
    'history/loggedRecords.ts',
    ['if (record > 0) this.#records.delete(record - 1)', 'if (record < 0) this.#records.delete(record - 1)'],
    LOGGED,
  ),
  mutant(
    'a row of a chain is used again together with all that were dropped before it',
    'history/eventChains.ts',
    ['    this.#free = this.#before.at(row)\n', '    this.#free = 0\n'],
    'unit/history/eventChains.test.ts',
  ),
  mutant(
    'positions of many events are folded for every page that shows them (K15)',
    'history/memoryHistory.ts',
    ['const FEW = 8', 'const FEW = 8_000'],
    LOGGED,
  ),
  mutant(
    'an id leads to what was created after an account, where one was opened before it',
    'history/loggedRecords.ts',
    ['number++) this.#begun.set(number, before, 0)', 'number++) this.#begun.set(number, this.#seq, 0)'],
    LOGGED,
  ),
  mutant(
    'an order that rests is found among what has ended',
    'history/loggedRecords.ts',
    ["% PER_PHASE > stateOf('opened')", '% PER_PHASE >= 0'],
    'history/lists.test.ts',
  ),
  mutant(
    'what ends late is listed after what was created after it (I10)',
    'history/marketLists.ts',
    ['numbers.splice(from, 0, number)', 'numbers.splice(from + 1, 0, number)'],
    'unit/history/history.test.ts',
  ),
  mutant(
    'what ended on any market is listed with the first on which something did (I11)',
    'history/marketLists.ts',
    ['this.#list !== null && this.#marketId === marketId', 'this.#list !== null'],
    'unit/history/history.test.ts',
  ),
  mutant(
    'positions that were opened together become positions of many events in the same instant (K15)',
    'history/memoryHistory.ts',
    [
      'FEW - (Math.imul(number >>> NEIGHBOURS, 0x9e3779b1) >>> 30)',
      'FEW - (Math.imul(number >>> NEIGHBOURS, 0x9e3779b1) & 0)',
    ],
    LOGGED,
  ),
]
