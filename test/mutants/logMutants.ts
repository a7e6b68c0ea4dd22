// Mistakes about what is durable, and whose the log is to write.

import type { Mutant } from './mutant.ts'

const LOG = 'crash/log.test.ts'
const DIRECTORY = 'store/directory.test.ts'
const LOCK = 'crash/lockFlips.test.ts'
const DERIVED = 'crash/derivedFlips.test.ts'

function mutant(breaks: string, file: string, find: string, replace: string, test: string): Mutant {
  return { breaks, file: `src/store/${file}`, edits: [[find, replace]], tests: [test] }
}

export const LOG_MUTANTS: readonly Mutant[] = [
  mutant(
    'a mark says nothing of the last group (K7)',
    'log/tail.ts',
    'if (header.firstSeq > next) proof = true',
    'if (header.firstSeq > next && header.commits > 0) proof = true',
    LOG,
  ),
  mutant(
    'the mark is in the sector of the last group (K7)',
    'log/commitLog.ts',
    'Math.ceil(this.#end / SECTOR) * SECTOR',
    'this.#end',
    LOG,
  ),
  mutant(
    'what is known to have been durable may be one commit ahead (K7)',
    'log/commitLog.ts',
    'if (extent.head >= durable) return extent',
    'if (extent.head + 1 >= durable) return extent',
    LOG,
  ),
  mutant(
    'an idle log is not marked beside the log (K7)',
    'lmdb/marking.ts',
    'inLog.then(() => this.#beside.write(head))',
    'inLog',
    DIRECTORY,
  ),
  mutant(
    'a group may contain the marker of its file (K9)',
    'log/commitLog.ts',
    '!fits || find(group, writing.marker, MARKER) !== -1',
    '!fits',
    LOG,
  ),
  mutant(
    'the chain leaves out the commits (K9)',
    'log/group.ts',
    'return [group.subarray(MARKER, CHAIN_AT), group.subarray(GROUP_HEADER)]',
    'return [group.subarray(MARKER, CHAIN_AT), group.subarray(GROUP_HEADER, GROUP_HEADER)]',
    LOG,
  ),
  mutant(
    'a file need not go on from the chain before it (K9)',
    'log/segment.ts',
    '!sameBytes(this.#chain, header.chain)',
    'this.#chain.length !== header.chain.length',
    LOG,
  ),
  mutant(
    'any damage in a copy is taken for what was copied too early (K14)',
    'log/logExtent.ts',
    '!fault.tail.hole &&',
    'fault.tail.hole &&',
    LOG,
  ),
  mutant(
    'a lock that is gone is not missed (K13)',
    'lmdb/directoryLock.ts',
    'if (there?.ino === this.#note) {',
    'if (there === undefined || there.ino === this.#note) {',
    DIRECTORY,
  ),
  mutant(
    'a log file that was moved is written on (K13)',
    'log/commitLog.ts',
    'if (!this.#disk.names(name, file))',
    'if (!this.#disk.names(name, file) && name === INCOMING)',
    LOG,
  ),
  mutant(
    'an append fails while its write is under way still (K13)',
    'log/commitLog.ts',
    '      } finally {\n        await written\n      }\n    }\n    this.#options.guard?.after()',
    '      } finally {\n        void written\n      }\n    }\n    this.#options.guard?.after()',
    LOG,
  ),
  mutant(
    'a directory that was changed a moment ago is trusted not to change again (K13)',
    'lmdb/nodeDisk.ts',
    'Date.now() - changedAt > clockStands',
    'Date.now() - changedAt > -clockStands',
    DIRECTORY,
  ),
  mutant(
    'two may begin the same file (K13)',
    'log/commitLog.ts',
    'if (!(await this.#disk.publish(INCOMING, name)))',
    'if (!(await this.#disk.publish(INCOMING, name)) && firstSeq === 0)',
    LOG,
  ),
  mutant(
    'the guard is not asked after an append (K13)',
    'log/commitLog.ts',
    '    this.#options.guard?.after()\n    this.#end += group.length',
    '    this.#end += group.length',
    LOG,
  ),
  mutant(
    'a tick is a nanosecond’s worth off where its price falls',
    'log/tickRun.ts',
    '-(doubled + 1) / 2',
    '-(doubled - 1) / 2',
    LOG,
  ),
  mutant(
    'LMDB follows what stands in the data beside the lock (K13)',
    'lmdb/lockData.ts',
    'expected.equals(await readFile(name))',
    '(await readFile(name)).length > 0',
    LOCK,
  ),
  mutant(
    'a folder in the place of the lock is handed to LMDB',
    'lmdb/lockFile.ts',
    'if (found?.isFile() === false) throw noFile(name)',
    'if (found?.size === -1) throw noFile(name)',
    LOCK,
  ),
  mutant(
    'others may read the history lists',
    'lmdb/recordIndex.ts',
    "{ flag: 'a', mode: 0o600 }",
    "{ flag: 'a', mode: 0o644 }",
    DIRECTORY,
  ),
  mutant(
    'a snapshot that fails its check is read (K8)',
    'log/snapshotFiles.ts',
    'reader.uint32() !== crc32(bytes, HEADER, bytes.length) ||',
    'reader.uint32() < 0 ||',
    DERIVED,
  ),
  mutant(
    'a line of the mark beside the log need not pass its check (K7)',
    'lmdb/directoryMark.ts',
    'return text === lineOf(line) ? line : null',
    'return line',
    DERIVED,
  ),
]
