// Servers that the machine has besides, of which some come with the programs that copy a database.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { canReadUnprivileged } from '../unprivileged.ts'

/** Where Debian puts them, a folder for each version. */
const DEBIANS = '/usr/lib/postgresql'

/** The newest that has `pg_dump` and `pg_restore` beside its server, with its `bin` and `lib`; null where there is none. */
export function installationWithDump(): string | null {
  if (!existsSync(DEBIANS)) return null
  const versions = readdirSync(DEBIANS).sort((a, b) => Number(b) - Number(a))
  const places = versions.map((version) => path.join(DEBIANS, version))
  const isWhole = (place: string) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) =>
      canReadUnprivileged(path.join(place, 'bin', name)),
    )
  return places.find(isWhole) ?? null
}

/** The library that shows a program another time than it is; null where Debian's package `faketime` is not installed. */
export function timeShiftingLibrary(): string | null {
  const places = [process.arch === 'arm64' ? 'aarch64' : 'x86_64'].map(
    (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
  )
  return places.find((place) => existsSync(place)) ?? null
}
