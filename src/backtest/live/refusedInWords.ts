/** A refusal of the venue in a sentence. */
import { ERRORS } from '../../terms/errors.ts'

/** A venue may know codes that are not in the table. */
export function refusedInWords({ code }: { readonly code: string }): string {
  const known = (ERRORS as Readonly<Record<string, { readonly meaning: string }>>)[code]
  return `the venue refuses it (${code})${known === undefined ? '' : `: ${known.meaning}`}`
}
