/** HTML as a tagged template in which every value is escaped unless it is HTML already. */

/** Markup that needs no escaping. Made by `html` alone, so nothing else can pass for it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[] | null

/** `null` writes nothing. Values are safe as text and inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0] as string
  for (let index = 0; index < values.length; index++)
    text += write(values[index] as Value) + (parts[index + 1] as string)
  return new Html(text)
}

function write(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return value.map(({ text }) => text).join('')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** JSON for a script element: no `<` can end the element or open a comment. */
export function jsonElement(id: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(/</g, '\\u003c')
  return new Html(`<script type="application/json" id="${escapeText(id)}">${json}</script>`)
}
