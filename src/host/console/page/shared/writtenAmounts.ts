// Amounts as people type them.
import { fp9 } from '../../../../quantity/decimal.ts'

export const NOT_A_NUMBER = 'This is not a number with at most nine decimals.'

/** Exactly what was typed, separators of thousands left out; null for an empty field, undefined for what is no decimal. */
export function typed(text: string): bigint | null | undefined {
  const plain = text.replace(/[,\s]/g, '')
  if (plain === '') return null
  try {
    return fp9(plain)
  } catch {
    return undefined
  }
}
