/** margin-core/store-lmdb: the durable store. */
export { hex as hexOf } from '../log/bytes.ts'
export { type Archived, type ArchiveOptions, archiveLog } from './archive.ts'
export { backupLog } from './backup.ts'
export { DirectoryInUse } from './directoryLock.ts'
export { type LmdbStoreOptions, openLmdbStore } from './lmdbStore.ts'
export { openLogToRead, snapshotsIn } from './readOnlyLog.ts'
export { recordsToCompare } from './recordComparison.ts'
export { RecordsDamaged } from './sealedRecord.ts'
