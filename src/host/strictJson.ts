/**
 * JSON without its traps: UTF-8 only, no duplicate members (`JSON.parse` keeps the last one silently), no `__proto__`,
 * no nesting beyond what any documented body needs.
 */

/** Deepest nesting of objects and arrays that is read. */
const MAX_DEPTH = 16

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The body is not JSON this host reads; the message says of it what it is instead. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson'
}

/** @throws MalformedJson */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const members = countMembers(text)
  const value = parse(text)
  // A duplicate member is written twice and parsed once.
  if (countParsedMembers(value) !== members) throw new MalformedJson('has a member that is given twice')
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedJson('is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedJson('is not JSON')
  }
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Colons outside strings: in well-formed JSON, one per member. Stops at nesting that is too deep. */
function countMembers(text: string): number {
  let [colons, depth, inString] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === COLON) colons += 1
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      if (depth > MAX_DEPTH) throw new MalformedJson(`is nested deeper than ${MAX_DEPTH}`)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
  }
  return colons
}

function countParsedMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countParsedMembers(item), 0)
  let count = 0
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw new MalformedJson('has a member that is called __proto__')
    count += 1 + countParsedMembers(member)
  }
  return count
}
