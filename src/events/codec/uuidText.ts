/** The text of a uuid, from its four words and back. */

/** The same accounts and markets come again and again: their ids are spelt once. Direct-mapped, so it never grows. */
const KNOWN = 4_096
const knownWords = new Uint32Array(KNOWN * 4)
const knownTexts: string[] = new Array(KNOWN).fill('')

export function uuidOf(a: number, b: number, c: number, d: number): string {
  const slot = (a ^ d) & (KNOWN - 1)
  const at = slot << 2
  const known =
    knownWords[at] === a && knownWords[at + 1] === b && knownWords[at + 2] === c && knownWords[at + 3] === d
  if (known && knownTexts[slot] !== '') return knownTexts[slot] as string
  const text = spell(a, b, c, d)
  knownWords[at] = a
  knownWords[at + 1] = b
  knownWords[at + 2] = c
  knownWords[at + 3] = d
  knownTexts[slot] = text
  return text
}

/** Character codes of the sixteen digits, and back. */
const DIGITS = new Uint8Array(16)
export const NO_DIGIT = 0xff
export const HEX_VALUES = new Uint8Array(128).fill(NO_DIGIT)
for (let value = 0; value < 16; value++) {
  DIGITS[value] = value.toString(16).charCodeAt(0)
  HEX_VALUES[DIGITS[value] as number] = value
}
export const DASH = 0x2d

/** In one piece from its codes: put together from parts it would have to be flattened wherever it is looked up. */
export function spell(a: number, b: number, c: number, d: number): string {
  // biome-ignore format: in the form of a uuid
  return String.fromCharCode(
    digit(a >>> 28), digit(a >>> 24), digit(a >>> 20), digit(a >>> 16),
    digit(a >>> 12), digit(a >>> 8), digit(a >>> 4), digit(a), DASH,
    digit(b >>> 28), digit(b >>> 24), digit(b >>> 20), digit(b >>> 16), DASH,
    digit(b >>> 12), digit(b >>> 8), digit(b >>> 4), digit(b), DASH,
    digit(c >>> 28), digit(c >>> 24), digit(c >>> 20), digit(c >>> 16), DASH,
    digit(c >>> 12), digit(c >>> 8), digit(c >>> 4), digit(c),
    digit(d >>> 28), digit(d >>> 24), digit(d >>> 20), digit(d >>> 16),
    digit(d >>> 12), digit(d >>> 8), digit(d >>> 4), digit(d),
  )
}

function digit(bits: number): number {
  return DIGITS[bits & 15] as number
}
