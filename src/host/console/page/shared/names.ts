// Names that the venue gives, as people read them.

/** Enough of an id to tell it from others at a glance. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`
}

/** `active_evaluation` is "active evaluation", `orderExecuted` is "order executed". */
export function words(name: string): string {
  return name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, last, first) => `${last} ${first.toLowerCase()}`)
}
