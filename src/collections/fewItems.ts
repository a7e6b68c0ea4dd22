/** Lists that mostly hold one or two: one that is pushed to, or spread into another, takes room for sixteen more. */

const FEW = 3

/** The list with one more at its end: itself, or while it is short another in its place. */
export function withOneMore<T>(items: T[], item: T): T[] {
  if (items.length >= FEW) {
    items.push(item)
    return items
  }
  const [first, second] = items
  if (items.length === 0) return [item]
  return items.length === 1 ? [first as T, item] : [first as T, second as T, item]
}
