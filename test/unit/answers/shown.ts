// What a page shows of a part of it, as HTML.

/** By names that the compiler does not follow: the types of what shows pages bring those of a browser with them, for all of the tests. */
const [PAGES, SHOWING]: readonly string[] = ['preact', 'preact-render-to-string']

const { isValidElement } = (await import(PAGES as string)) as {
  readonly isValidElement: (value: unknown) => boolean
}
const { renderToString } = (await import(SHOWING as string)) as {
  readonly renderToString: (value: unknown) => string
}

/** Null for what is no part of a page. */
export const shown = (value: object): string | null => (isValidElement(value) ? renderToString(value) : null)
