/** Figures as people read them: thousands separated, few decimals, units spelled out. For display only. */
import { formatDecimal } from '../../quantity/decimal.ts'

/** What stands where a figure has no meaning. */
export const NO_VALUE = '–'

/** An fp9 amount of quote currency with two decimals: "10,000.00", "−12.50". */
export function money(value: bigint): string {
  return decimals(formatDecimal(value, 2))
}

/** The same with its sign, as a change: "+12.50". */
export function change(value: bigint): string {
  const text = money(value)
  return value > 0n && text !== '0.00' ? `+${text}` : text
}

/** The same with all its decimals where two would say that there is none: "+0.00316". */
export function fineChange(value: bigint): string {
  const text = change(value)
  if (value === 0n || text.replace(/[^1-9]/g, '') !== '') return text
  return `${value > 0n ? '+' : ''}${decimals(formatDecimal(value))}`
}

/** An fp9 price with as many decimals as it has, at least two. */
export function price(value: bigint): string {
  const text = formatDecimal(value)
  const missing = 2 - (text.split('.')[1]?.length ?? 0)
  return decimals(missing > 0 ? formatDecimal(value, 2) : text)
}

/** A fraction as a percentage: 0.1234 is "12.34%". */
export function share(value: number | null, digits = 2): string {
  return value === null ? NO_VALUE : `${decimals((value * 100).toFixed(digits))}%`
}

/** A ratio with two decimals. */
export function ratio(value: number | null): string {
  return value === null ? NO_VALUE : decimals(value.toFixed(2))
}

/** Of a number whose size nobody knows beforehand the first five digits. */
export function ownFigure(value: number | null): string {
  return value === null ? NO_VALUE : decimals(String(Number(value.toPrecision(5))))
}

/** A figure of so many decimals: "1,234", "−0.5". */
export function rounded(value: number | null, digits = 0): string {
  return value === null ? NO_VALUE : decimals(value.toFixed(digits))
}

/** A whole number: "43,200". */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** What a number counts: "trade" of 1, "trades" of any other. */
export function plural(value: number, one: string, several = `${one}s`): string {
  return value === 1 ? one : several
}

/** A length of time in its largest fitting unit: "29.9 days", "3.2 hours", "45 s". */
export function span(ms: number): string {
  if (ms >= 86_400_000) return `${(ms / 86_400_000).toFixed(1)} days`
  if (ms >= 3_600_000) return `${(ms / 3_600_000).toFixed(1)} hours`
  if (ms >= 60_000) return `${(ms / 60_000).toFixed(0)} min`
  return `${(ms / 1000).toFixed(0)} s`
}

/** An instant to the second, UTC: "2026-01-07 06:36:20". */
export function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** A proper minus sign and separated thousands. */
function decimals(text: string): string {
  const [whole, fraction] = (text.startsWith('-') ? text.slice(1) : text).split('.') as [string, string?]
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const digits = fraction === undefined ? separated : `${separated}.${fraction}`
  return text.startsWith('-') && /[1-9]/.test(digits) ? `−${digits}` : digits
}
