/** Reading instants people and programs write. */
const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Epoch ms of an ISO 8601 instant with seconds and a zone; undefined for anything else, February 30 included. */
export function parseInstant(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const match = ISO_INSTANT.exec(text)
  if (match === null) return undefined
  const [, year, month, day] = match.map(Number)
  const calendar = new Date(Date.UTC(year as number, (month as number) - 1, day as number))
  if (calendar.getUTCMonth() + 1 !== month || calendar.getUTCDate() !== day) return undefined
  const at = Date.parse(text)
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined
}
