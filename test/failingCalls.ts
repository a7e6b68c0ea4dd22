// Calls to the disk that fail for some places within the process of the test, as where it is full or read only: permissions say
// nothing to root.

import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** While `work` runs, one call of `node:fs/promises` fails with `code` for these places. */
export async function whileFailing(
  call: 'access' | 'writeFile',
  places: readonly string[],
  code: string,
  work: () => Promise<void>,
): Promise<void> {
  const original = promises[call] as (place: unknown, ...rest: unknown[]) => Promise<void>
  const failing = (place: unknown, ...rest: unknown[]): Promise<void> =>
    places.includes(String(place))
      ? Promise.reject(Object.assign(new Error(`${code}: ${place}`), { code }))
      : original(place, ...rest)
  Object.assign(promises, { [call]: failing })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(promises, { [call]: original })
    syncBuiltinESMExports()
  }
}
