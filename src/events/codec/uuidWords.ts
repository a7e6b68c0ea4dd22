/** The four words of a uuid, from its text. */
import { DASH, HEX_VALUES, NO_DIGIT } from './uuidText.ts'

/** False, with `words` as they were, unless the text is a uuid in lower case. */
export function wordsOf(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false
  for (let dash = 8; dash <= 23; dash += 5) if (text.charCodeAt(dash) !== DASH) return false
  const a = four(text, 0)
  const b = four(text, 4)
  const c = four(text, 9)
  const d = four(text, 14)
  const e = four(text, 19)
  const f = four(text, 24)
  const g = four(text, 28)
  const h = four(text, 32)
  if ((a | b | c | d | e | f | g | h) < 0) return false
  words[0] = (a << 16) | b
  words[1] = (c << 16) | d
  words[2] = (e << 16) | f
  words[3] = (g << 16) | h
  return true
}

/** Four hexadecimal digits in lower case as a number; below zero where one is none. */
function four(text: string, at: number): number {
  const a = HEX_VALUES[text.charCodeAt(at)] ?? NO_DIGIT
  const b = HEX_VALUES[text.charCodeAt(at + 1)] ?? NO_DIGIT
  const c = HEX_VALUES[text.charCodeAt(at + 2)] ?? NO_DIGIT
  const d = HEX_VALUES[text.charCodeAt(at + 3)] ?? NO_DIGIT
  return (a | b | c | d) < NO_DIGIT ? (a << 12) | (b << 8) | (c << 4) | d : -1
}
