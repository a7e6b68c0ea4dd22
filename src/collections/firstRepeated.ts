/** Where a text stands that stood before; null when each is there once. Looks at each once: lists may be long. */
export function firstRepeated(texts: readonly string[]): number | null {
  const seen = new Set<string>()
  for (const [at, text] of texts.entries()) {
    if (seen.has(text)) return at
    seen.add(text)
  }
  return null
}
