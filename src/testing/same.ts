/** Whether two values say the same: plain data, bigints and bytes among it, whatever the order of fields. */

/** @throws Error saying what differs. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [plain(actual), plain(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, got ${found}`)
}

function plain(value: unknown): string {
  return JSON.stringify(value, (_, nested: unknown) => {
    if (typeof nested === 'bigint') return `${nested}n`
    if (nested instanceof Uint8Array) return [...nested]
    if (typeof nested !== 'object' || nested === null || Array.isArray(nested)) return nested
    return Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
