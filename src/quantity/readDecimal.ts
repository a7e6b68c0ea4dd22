/**
 * From people's decimals to fp9, digit by digit. It stands apart from what prints them and computes with them, which is
 * decimal.js: who only reads downloads a fifth less into a browser.
 */

const GRAMMAR = /^(-?)([0-9]*)(?:\.([0-9]*?)0*)?(%?)$/
const LONGEST = 60

/**
 * Reads a person's decimal into fp9, exactly: `fp9('1.5')` is `1500000000n`, `fp9('5%')` is `50000000n`.
 *
 * ```ts
 * fp9('1.5') // → 1500000000
 * fp9('5%') // → 50000000
 * ```
 *
 * @throws RangeError for text that is not a decimal, or that has more than nine decimals and would have to be rounded;
 * TypeError for a number, which has been rounded already, and for a bigint, which may be an fp9 value already.
 */
export function fp9(text: string): bigint {
  if (typeof text !== 'string') throw new TypeError(`fp9 reads text: ${inText(text)}`)
  const trimmed = text.trim()
  const parts = trimmed.length <= LONGEST && /[0-9]/.test(trimmed) ? GRAMMAR.exec(trimmed) : null
  if (parts === null) throw new RangeError(`not a decimal number: ${text}`)
  const [, sign = '', whole = '', fraction = '', percent = ''] = parts
  const decimals = percent === '' ? 9 : 7
  if (fraction.length > decimals) throw new RangeError(`more than nine decimals: ${text}`)
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`)
}

/** What to write instead. */
function inText(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value))
    return `write fp9('${digitsOf(value)}') for fp9(${value})`
  if (typeof value === 'bigint')
    return `write fp9('${value}') for ${value} whole units; ${value}n as it is means ${value} of 10⁻⁹`
  return `a decimal such as fp9('1.5') or fp9('5%'), not ${value === null ? 'null' : typeof value}`
}

/** A small number without its exponent. */
function digitsOf(value: number): string {
  const shown = String(value)
  return shown.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : shown
}
