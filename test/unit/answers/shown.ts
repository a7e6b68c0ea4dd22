// What a page shows of a part of it, as HTML.

/** By names that the compiler does not follow: the types of what shows pages bring those of a browser with them, for all of the tests. */
const [PAGES, SHOWING]: readonly string[] = ['preact', 'preact-render-to-string']

const { h, isValidElement } = (await import(PAGES as string)) as {
  readonly h: (part: unknown, properties: unknown) => unknown
  readonly isValidElement: (value: unknown) => boolean
}
const { renderToString } = (await import(SHOWING as string)) as {
  readonly renderToString: (value: unknown) => string
}

/** Null for what is no part of a page. */
export const shown = (value: object): string | null => (isValidElement(value) ? renderToString(value) : null)

/** A part of a page as it stands in one: what it keeps from one time to the next it has nowhere else. */
export function placed(part: unknown): (properties: unknown) => unknown {
  return (properties) => h(part, properties)
}
