/** A model of prices as a text: its name, and after a colon those of its numbers that are not the usual ones. */

/** Numbers by name. */
export type Numbers = Readonly<Record<string, number>>

/** `jumps` of `jumps:volatility=0.9`. */
export function modelName(text: string): string {
  return text.split(':', 1)[0] ?? ''
}

/** The one that draws from data. */
const BOOTSTRAPPED = 'bootstrapped'

/** Whether a market's data is only what its prices are drawn from. */
export function isBootstrapped(market: { readonly data?: unknown; readonly simulate?: string }): boolean {
  const { data, simulate } = market
  return data !== undefined && simulate !== undefined && modelName(simulate) === BOOTSTRAPPED
}

/**
 * The numbers that a text changes.
 *
 * @param known by their names, whatever the values.
 * @throws RangeError for a number that there is not, with those there are, and for what is no number.
 */
export function changedNumbers(text: string, known: object): Numbers {
  const [name = '', numbers = ''] = text.split(':', 2)
  const changed: Record<string, number> = {}
  for (const item of numbers === '' ? [] : numbers.split(',')) {
    const [key = '', value = ''] = item.split('=', 2)
    if (!Object.hasOwn(known, key))
      throw new RangeError(`the model ${name} has no ${key}; it has: ${Object.keys(known).join(', ')}`)
    if (value.trim() === '' || !Number.isFinite(Number(value)))
      throw new RangeError(`the model ${name}: ${key} must be a number, not ${value || 'nothing'}`)
    changed[key] = Number(value)
  }
  return changed
}
