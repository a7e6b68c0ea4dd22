/** A command as it can be typed again. */
export function commandText(program: string, words: readonly string[]): string {
  return [program, ...words].map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
