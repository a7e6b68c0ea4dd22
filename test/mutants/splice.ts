// Changing places of a text, all at once.

export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with every splice made; where two begin at the same place, the first comes first. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text: instead } of [...splices].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + instead
    at = end
  }
  return result + text.slice(at)
}
