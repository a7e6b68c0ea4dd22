/** margin-core/store-postgres: the durable store in a PostgreSQL database. */
export { openPostgresStore, type PostgresStoreOptions } from './postgresStore.ts'
