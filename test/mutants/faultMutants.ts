// Mistakes that show when the machine under the host fails, or the host is ended in the middle of something.

import type { Edit, Mutant } from './mutant.ts'

const FAULTS = 'crash/faults.test.ts'

const EVERY_CALL = 'crash/everyCall.test.ts'
const READING = 'host/reading.test.ts'
const LETTING_GO = 'host/lettingGo.test.ts'
/** Some of it as root alone: on a file system of its own. */
const UNWRITABLE = 'store/unwritable.test.ts'

function mutant(breaks: string, file: string, edit: Edit, test = FAULTS): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests: [test] }
}

export const FAULT_MUTANTS: readonly Mutant[] = [
  mutant('an answer does not wait until its commit is durable (K5)', 'engine/journal.ts', [
    'if (seq <= this.durableHead) return Promise.resolve()',
    'if (seq >= 0) return Promise.resolve()',
  ]),
  mutant('a write that failed counts as durable (K6)', 'engine/journal.ts', [
    'await this.#store.append(group.commits, head, this.#epoch)',
    'await this.#store.append(group.commits, head, this.#epoch).catch(() => {})',
  ]),
  mutant(
    'history lists of another venue are taken for those of this one (K8)',
    'store/lmdb/whose.ts',
    ['about.venue === said ? null', 'about.venue >= 0 ? null'],
    'store/foreignRecords.test.ts',
  ),
  mutant(
    'a projection that another venue saved is served (K8)',
    'store/lmdb/shelves.ts',
    ['own === 0 || Number(venue) === own', 'own === 0 || Number(venue) > 0'],
    'store/projections.test.ts',
  ),
  mutant('a short write counts as a whole one', 'store/lmdb/nodeDisk.ts', [
    'while (length < bytes.length) length += await written',
    'if (length < bytes.length) length += await written',
  ]),
  mutant('a snapshot forgets what was answered under which key (I4)', 'engine/snapshot.ts', [
    'for (const outcome of records.idempotency) idempotency.keep(outcome)',
    'for (const outcome of [...records.idempotency].slice(1_000_000)) idempotency.keep(outcome)',
  ]),
  mutant(
    'a snapshot forgets which commands were given under an id',
    'engine/snapshot.ts',
    [
      'for (const outcome of records.commands) commands.keep(outcome)',
      'for (const outcome of [...records.commands].slice(1_000_000)) commands.keep(outcome)',
    ],
    'properties/commandIds.test.ts',
  ),
  mutant(
    'a group in the database that does not follow from the one before it is read',
    'store/postgres/groupReading.ts',
    ['if (chain !== null && !row.chain', 'if (chain === null && !row.chain'],
    'postgres/commandLine.test.ts',
  ),
  mutant(
    'what waited is decided behind a client that has gone',
    'host/stillThere.ts',
    ['connection.destroyed || sendsNoMore', 'connection.destroyed'],
    'host/goneClients.test.ts',
  ),
  mutant(
    'who gives up while much is due has their command carried out behind it',
    'host/marginTradingApi.ts',
    ['  carryOutForWhoIsThere(app)\n', ''],
    'host/dueInstants.test.ts',
  ),
  mutant(
    'who ends their half of a connection gets no answer of another node',
    'host/cluster/forward.ts',
    ['() => void outgoing.socket?.end()', '() => void outgoing.destroy()'],
    'unit/host/cluster/forward.test.ts',
  ),
  mutant(
    'a standby is taken for the primary',
    'store/postgres/primary.ts',
    ['if (!rows[0].standby) return', 'if (rows[0] !== undefined) return'],
    'postgres/failover.test.ts',
  ),
  mutant(
    'an engine that only reads takes commands',
    'engine/standing.ts',
    ['if (this.unwritable !== null) throw', "if (this.unwritable === '') throw"],
    READING,
  ),
  mutant(
    'a timer stops an engine that only reads',
    'host/unattended.ts',
    [
      'if (engine.failure !== null || engine.unwritable !== null) return',
      'if (engine.failure !== null) return',
    ],
    READING,
  ),
  mutant(
    'a key that has left the file lets somebody in where nothing can be written (K11)',
    'host/authentication.ts',
    ['unwritten === undefined ? this', 'unwritten == null ? this'],
    READING,
  ),
  mutant(
    'lists that can be read are not used, and the whole log is read instead',
    'store/lmdb/recordView.ts',
    ['this.cursor = about.cursor', 'this.cursor = 0'],
    UNWRITABLE,
  ),
  mutant(
    'LMDB maps a lock file that has no room on the disk',
    'store/lmdb/lockFile.ts',
    ['if (found !== null && found.size >= BYTES && found.blocks > 0) return', 'if (BYTES > 0) return'],
    UNWRITABLE,
  ),
  mutant(
    'a venue starts without room for its first commit',
    'store/lmdb/lmdbStore.ts',
    ['    await tryRoom(directory)\n', ''],
    UNWRITABLE,
  ),
  mutant(
    'a read-only file system keeps a venue from being read',
    'store/lmdb/unwritable.ts',
    ["'EROFS', 'EACCES', 'EPERM', 30, 13, 1", "'EACCES', 'EPERM', 13, 1"],
    UNWRITABLE,
  ),
  mutant(
    'a venue that cannot listen keeps its directory',
    'host/serveVenue.ts',
    ['    await closeAll(venue, parts).catch(() => {})\n', ''],
    LETTING_GO,
  ),
  mutant(
    'an engine that is refused keeps its store',
    'engine/open.ts',
    ['await store.close().catch(', 'await Promise.resolve().catch('],
    LETTING_GO,
  ),
  mutant(
    'a mark that cannot be read is taken for none (K7)',
    'store/lmdb/directoryMark.ts',
    ["if (error.code !== 'ENOENT') throw error", ''],
    EVERY_CALL,
  ),
  mutant(
    'snapshots of projections that cannot be listed are taken for none',
    'store/lmdb/shelves.ts',
    ["if (error.code !== 'ENOENT') throw error", ''],
    EVERY_CALL,
  ),
  mutant(
    'a store that fails while it is closed keeps its directory',
    'store/lmdb/lmdbStore.ts',
    ['.finally(() => lock.release())', '.then(() => lock.release())'],
    EVERY_CALL,
  ),
  mutant(
    'a file that cannot be asked for its size stays open',
    'store/lmdb/nodeDisk.ts',
    ['    await handle.close()\n    throw error', '    throw error'],
    EVERY_CALL,
  ),
  mutant(
    'records that cannot be read stay open',
    'store/lmdb/aboutRecords.ts',
    ['if (!isGiven) pages?.close()', ''],
    EVERY_CALL,
  ),
  mutant(
    'history that the medium does not give back keeps a venue from starting (K8)',
    'store/lmdb/pageFile.ts',
    ["return code === 'EIO' ?", "return code === 'EIO!' ?"],
    'crash/everyCall.test.ts',
  ),
  mutant(
    'a disk that failed ends a venue that is told to close with a raw stack',
    'cli/serve.ts',
    [
      'const complaints = failure === null ? [] : [',
      'const complaints = failure === null ? [] : [String((failure as Error).stack), ',
    ],
    'host/serve.test.ts',
  ),
  ...[
    ['funding and days', 'schedule.ts', 'const wake = unattended(engine, () => {'],
    ['a simulated feed', 'feed/simulated.ts', 'const tickAll = unattended(engine, () => {'],
    ['a replay', 'feed/replay.ts', 'const play = unattended(engine, () => {'],
    ['a feed of sources', 'feed/indexFeed.ts', 'const tickAll = unattended(venue.engine, () => {'],
    ['a price that waited', 'feed/runningFeed.ts', 'void now.then(unattended(engine, move))'],
  ].map(([where, file, guarded = '']) =>
    mutant(
      `what breaks in ${where} ends the process`,
      `host/${file}`,
      [guarded, guarded.replace(/unattended\((venue\.)?engine, /, '((work: () => void) => work)(')],
      'host/unattended.test.ts',
    ),
  ),
  mutant(
    'a venue begins from the snapshot of another',
    'engine/recovery.ts',
    ['own === null || own.at === now', 'own === null || own.at > 0'],
    'store/recovery.test.ts',
  ),
  mutant(
    'the log is read again behind the commit of a snapshot that was looked at',
    'engine/recovery.ts',
    [
      'return { folded, own, behind }\n  } catch',
      'return { folded, own, behind: new CommitsBehind(store.read(seq + 1)) }\n  } catch',
    ],
    'unit/engine/projections.test.ts',
  ),
  mutant(
    'what is behind a snapshot whose commit was archived is not folded',
    'engine/recovery.ts',
    ['behind: new CommitsBehind(store.read(seq + 1)) }', 'behind }'],
    'unit/engine/behindSnapshot.test.ts',
  ),
  mutant(
    'two directories that lead to one log have two writers (K13)',
    'store/lmdb/logLock.ts',
    ['return lies === (await realpath(directory)) ?', "return lies !== '' ?"],
    'store/directory.test.ts',
  ),
  mutant(
    'a backup replaces what a venue has acknowledged in it',
    'store/lmdb/backup.ts',
    ['MARK)).catch(() => null)) === null', 'MARK)).catch(() => null)) !== undefined'],
    'store/directory.test.ts',
  ),
  mutant(
    'an archive removes files under whoever has taken the directory (K13)',
    'store/lmdb/archive.ts',
    ['    mayChange()\n    await disk.remove(name)', '    await disk.remove(name)'],
    'store/archive.test.ts',
  ),
]
