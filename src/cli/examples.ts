/** What `--help` of a command ends with. */

/** Lines as they are typed, without `margin-core`. */
export function examples(...typed: readonly string[]): string {
  return ['', 'Examples:', ...typed.map((line) => `  $ margin-core ${line}`)].join('\n')
}
