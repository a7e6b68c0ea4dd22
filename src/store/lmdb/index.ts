/** margin-core/store-lmdb: the durable store. */
export { DirectoryInUse } from './directoryLock.ts'
export { type LmdbStoreOptions, openLmdbStore } from './lmdbStore.ts'
