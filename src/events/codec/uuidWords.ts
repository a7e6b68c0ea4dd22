/** The four words of a uuid, from its text. */
import { DASH, HEX_VALUES, NO_DIGIT, spell } from './uuidText.ts'

/**
 * The uuids asked for last: each is written some six times while the command lasts that makes it, and is found here in a
 * fifth of the time that reading its digits takes. Direct-mapped by the last three of them, so it never grows.
 */
const KNOWN = 16 * 16 * 16
const knownTexts: string[] = new Array(KNOWN).fill('')
/** Four words of each. */
export const knownWords = new Int32Array(4 * KNOWN)
const NO_UUID = -1

/** A uuid that is new, by its text and its words: it is about to be asked for. */
export function makeKnown(text: string, words: Int32Array, from = 0): void {
  const slot = slotOf(text)
  knownTexts[slot] = text
  const at = slot << 2
  knownWords[at] = words[from] as number
  knownWords[at + 1] = words[from + 1] as number
  knownWords[at + 2] = words[from + 2] as number
  knownWords[at + 3] = words[from + 3] as number
}

/** The text of a uuid whose words stand there. One that was asked for last is not spelt again. */
export function textOf(words: Int32Array, from: number): string {
  const [a, b] = [words[from] as number, words[from + 1] as number]
  const [c, d] = [words[from + 2] as number, words[from + 3] as number]
  const slot = d & (KNOWN - 1)
  const at = slot << 2
  const known = knownTexts[slot] as string
  const isKnown =
    knownWords[at + 3] === d && knownWords[at] === a && knownWords[at + 1] === b && knownWords[at + 2] === c
  if (isKnown && known !== '') return known
  const text = spell(a, b, c, d)
  makeKnown(text, words, from)
  return text
}

/** Where the words of a text are in {@link knownWords} until the next is asked for; −1 unless it is a uuid in lower case. */
export function knownUuid(text: string): number {
  if (text.length !== 36) return NO_UUID
  const slot = slotOf(text)
  const at = slot << 2
  if (knownTexts[slot] === text) return at
  if (!readWords(text, at)) return NO_UUID
  knownTexts[slot] = text
  return at
}

/** False, with `words` as they were, unless the text is a uuid in lower case. */
export function wordsOf(text: string, words: Uint32Array): boolean {
  const at = knownUuid(text)
  if (at === NO_UUID) return false
  words[0] = knownWords[at] as number
  words[1] = knownWords[at + 1] as number
  words[2] = knownWords[at + 2] as number
  words[3] = knownWords[at + 3] as number
  return true
}

function slotOf(text: string): number {
  return (nibble(text.charCodeAt(33)) << 8) | (nibble(text.charCodeAt(34)) << 4) | nibble(text.charCodeAt(35))
}

/** Of a hexadecimal digit its value, of any other character some number. */
function nibble(code: number): number {
  return (code + (code >> 6) * 9) & 15
}

function readWords(text: string, at: number): boolean {
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
  knownWords[at] = (a << 16) | b
  knownWords[at + 1] = (c << 16) | d
  knownWords[at + 2] = (e << 16) | f
  knownWords[at + 3] = (g << 16) | h
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
