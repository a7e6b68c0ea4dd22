/** Why a text is no JSON, on one line that a terminal can show. */
export function notJson(error: unknown): string {
  const { message } = error as Error
  // The parser quotes what it found, which of another kind of file is no text.
  const found = /[\p{Cc}\ufffd]/u.test(message.replace(/[\n\r\t]/g, ' ')) ? 'it is no text' : message
  return `not JSON (${found.replace(/\s+/g, ' ')})`
}
