// Mistakes about moving older files of a log to an archive, and about reading a log from which some were moved (K14).

import { type Mutant, mutant } from './mutant.ts'

const POWER = 'crash/archive.test.ts'
const ARCHIVE = 'store/archive.test.ts'
const HTTP = 'host/archivedCommits.test.ts'

export const ARCHIVE_MUTANTS: readonly Mutant[] = [
  mutant(
    'files are removed from a log although their names in the archive may still be lost',
    'store/lmdb/archive.ts',
    ['  await archive.flush()\n', ''],
    POWER,
  ),
  mutant(
    'files are removed from a log although their bytes in the archive may still be lost',
    'store/log/wholeFile.ts',
    ['    await file.flush()\n', ''],
    POWER,
  ),
  mutant(
    'files are removed from a log before a note says so',
    'store/lmdb/archive.ts',
    [
      '  await noteArchived(disk, before)\n',
      '  for (const { name } of moves) await disk.remove(name)\n  await disk.flush()\n  await noteArchived(disk, before)\n',
    ],
    POWER,
  ),
  mutant(
    'files are removed from a log without a note',
    'store/lmdb/archive.ts',
    ['  await noteArchived(disk, before)\n', ''],
    POWER,
  ),
  mutant(
    'the note of what was archived is under its name before its bytes are on the medium',
    'store/log/archivedNote.ts',
    ['ARCHIVED_NOTE, INCOMING,', 'ARCHIVED_NOTE, ARCHIVED_NOTE,'],
    POWER,
  ),
  mutant(
    'where archiving fails a file stays open',
    'store/log/wholeFile.ts',
    ['  } finally {\n    await file.close()\n', '    await file.close()\n  } finally {\n'],
    POWER,
  ),
  mutant(
    'a file that reaches beyond the older snapshot is moved as well',
    'store/lmdb/archive.ts',
    ['head <= upTo && here.has(name)', 'here.has(name)'],
    POWER,
  ),
  mutant(
    'what was moved once is moved again, and is not there',
    'store/lmdb/archive.ts',
    ['head <= upTo && here.has(name)', 'head <= upTo'],
    POWER,
  ),
  mutant(
    'half a copy from an interrupted time passes for the file',
    'store/lmdb/archive.ts',
    ['.part`', '`'],
    POWER,
  ),
  mutant(
    'a file of that name in the archive is not compared with the one that goes',
    'store/lmdb/archive.ts',
    ['if (!sameBytes(await unpack(archive, name), bytes))', 'if (bytes.length === 0)'],
    POWER,
  ),
  mutant(
    'a note of what was archived is believed whatever its check says',
    'store/log/archivedNote.ts',
    ["if (chain === '' || textOf(before) !== text)", "if (chain === '')"],
    ARCHIVE,
  ),
  mutant(
    'an archive that does not begin with the first commit is taken',
    'store/lmdb/archivedFiles.ts',
    ["if (segmentSeq(names[0] ?? '') !== 1)", 'if (names.length > 1e9)'],
    ARCHIVE,
  ),
  mutant(
    'commits that were archived are passed over where they are asked for',
    'store/log/commitLog.ts',
    ['if (Math.max(from, 1) < this.first) throw new CommitsArchived(this.first)', ''],
    POWER,
  ),
  mutant(
    'over HTTP commits that were archived are a fault of the host',
    'host/routes/operator.ts',
    ['if (error instanceof CommitsArchived)', 'if (error === null)'],
    HTTP,
  ),
]
