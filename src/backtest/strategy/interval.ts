/** How long the intervals are that a strategy names: `15m`, `4h`, `1d`. */

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In ms. @throws RangeError for what is no whole number of minutes, hours or days. */
export function intervalMs(interval: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(interval) ?? []
  if (count === undefined || unit === undefined)
    throw new RangeError(
      `an interval is a number of minutes, hours or days such as 15m, 4h or 1d, not ${interval}`,
    )
  return Number(count) * (UNIT_MS[unit] as number)
}
