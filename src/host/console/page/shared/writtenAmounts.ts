// Amounts as people type them.
import { fp9 } from '../../../../quantity/decimal.ts'

export const NOT_A_NUMBER = 'This is not a number with at most nine decimals, like 1,000.5.'

/** Decimals behind a point. A comma or a space parts thousands and nothing else: 1,5 is one and a half to half of the world. */
const WRITTEN = /^-?(\d{1,3}([,\s]\d{3})+|\d*)(\.\d*)?$/

/** Exactly what was typed; null for an empty field, undefined for what is no decimal. */
export function typed(text: string): bigint | null | undefined {
  return inUnit(text, '')
}

/** The same of a field that is in percent, whether the sign is typed or not. */
export function typedPercent(text: string): bigint | null | undefined {
  return inUnit(text.replace(/\s*%\s*$/, ''), '%')
}

function inUnit(text: string, unit: '' | '%'): bigint | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (!WRITTEN.test(trimmed)) return undefined
  try {
    return fp9(trimmed.replace(/[,\s]/g, '') + unit)
  } catch {
    return undefined
  }
}
