/** margin-core/store-lmdb: the durable store. */
export { DirectoryInUse } from './directoryLock.ts'
export { compareHistory } from './historyComparison.ts'
export { type LmdbStoreOptions, openLmdbStore } from './lmdbStore.ts'
export { HistoryDamaged } from './sealedRecord.ts'
