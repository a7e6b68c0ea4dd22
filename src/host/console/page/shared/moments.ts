// Times as people read them, UTC.

/** To the second, of an ISO 8601 text. */
export function moment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** How long, in two units at most, to the minute. */
export function span(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}
