/** Plain data that nobody can change any more, however deep they reach into it. */
export function frozen<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}
