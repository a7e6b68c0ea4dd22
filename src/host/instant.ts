/** Reading instants people and programs write. */
import { writtenInstant } from '../terms/writtenInstant.ts'

const ISO_INSTANT =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Epoch ms of an ISO 8601 instant with seconds and a zone; undefined for anything else, February 30 included. */
export function parseInstant(text: unknown): number | undefined {
  if (typeof text !== 'string' || !ISO_INSTANT.test(text)) return undefined
  const at = writtenInstant(text)
  return at !== null && at >= 0 ? at : undefined
}
