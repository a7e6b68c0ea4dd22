/**
 * The migration that makes the tables of a venue's history as they are described, each column with what it means: `\\d+` shows it.
 * The role that may only read them is made where the user may make roles, and granted to where it is there.
 */
import {
  type ColumnKind,
  HISTORY_TABLE_NAMES,
  HISTORY_TABLES,
  type HistoryTableName,
  type TableColumn,
  type TableIndex,
} from '../../terms/historyTables.ts'

/** Where a row belongs besides. */
const SHARD = ['shard', 'integer NOT NULL REFERENCES shard', 'The shard it is on, counted from 0'] as const

function tableOf(name: HistoryTableName): string {
  const { about, columns, key } = HISTORY_TABLES[name]
  const all = [SHARD, ...columns.map(declared)]
  const told = all.map(([column, , meaning]) => `COMMENT ON COLUMN ${name}.${column} IS '${meaning}';`)
  return `CREATE TABLE ${name} (
${all.map(([column, type]) => `${column} ${type},`).join('\n')}
PRIMARY KEY (${['shard', ...key].join(', ')}));
COMMENT ON TABLE ${name} IS '${about}';
${told.join('\n')}`
}

function declared([name, kind, meaning]: TableColumn): readonly [
  name: string,
  type: string,
  meaning: string,
] {
  return [name, TYPES[kind], meaning]
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  'own uuid': 'uuid NOT NULL UNIQUE',
  uuid: 'uuid NOT NULL',
  'uuid?': 'uuid',
  text: 'text NOT NULL',
  'text?': 'text',
  amount: 'numeric NOT NULL',
  'amount?': 'numeric',
  instant: 'timestamptz NOT NULL',
  'instant?': 'timestamptz',
  count: 'bigint NOT NULL',
  'count?': 'bigint',
  ordinal: 'integer NOT NULL',
  flag: 'boolean NOT NULL',
}

export function indexOf(table: HistoryTableName, { columns, ranged = false }: TableIndex): string {
  return `CREATE INDEX ON ${table}${ranged ? ' USING brin' : ''} (${columns.join(', ')});`
}

const indexes = HISTORY_TABLE_NAMES.flatMap((name) =>
  HISTORY_TABLES[name].indexes.map((index) => indexOf(name, index)),
)
const names = HISTORY_TABLE_NAMES.join(', ')

export const HISTORY_MIGRATION = [
  `CREATE TABLE history_cursor (
     shard integer PRIMARY KEY REFERENCES shard,
     seq bigint NOT NULL,
     epoch bigint NOT NULL
   );
   COMMENT ON TABLE history_cursor IS 'Up to which commit of each shard ${names.replace(/, (?=[^,]*$)/, ' and ')} are written, and under which epoch';
   COMMENT ON COLUMN history_cursor.shard IS '${SHARD[2]}';
   COMMENT ON COLUMN history_cursor.seq IS 'The commit of its log up to which all rows are there; later ones may have made none';
   COMMENT ON COLUMN history_cursor.epoch IS 'The epoch of its owner who wrote them; an older one writes nothing any more';`,
  ...HISTORY_TABLE_NAMES.map(tableOf),
  `${indexes.join('\n   ')}
   DO $$
   BEGIN
     IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'margin_core_reader') THEN
       CREATE ROLE margin_core_reader NOLOGIN;
     END IF;
   EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
     NULL;
   END $$;
   DO $$
   BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'margin_core_reader') THEN
       EXECUTE format('GRANT USAGE ON SCHEMA %I TO margin_core_reader', current_schema());
       GRANT SELECT ON ${names}, history_cursor TO margin_core_reader;
     END IF;
   END $$;`,
].join('\n')
