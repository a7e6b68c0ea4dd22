// What a page has its reader do, one thing after the other: files to save, commands to type, and what they print.

export type Step =
  | { readonly kind: 'save'; readonly file: string; readonly text: string }
  /** `prints` is null where the page does not say it. */
  | { readonly kind: 'type'; readonly commands: readonly string[]; readonly prints: string | null }

const BLOCK = /^```(\w*)\n(.*?)^```$/gms

/** The steps below a heading of the second level. A block without a language is what the commands above it print. */
export function stepsOf(page: string, heading: string): readonly Step[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const steps: Step[] = []
  for (const [, language, text = ''] of (section.split(/^## /m)[0] as string).matchAll(BLOCK)) {
    const last = steps.at(-1)
    if (language === 'ts') steps.push({ kind: 'save', file: nameOf(text), text })
    else if (language === 'sh') steps.push({ kind: 'type', commands: commandsOf(text), prints: null })
    else if (language === '' && last?.kind === 'type') steps.splice(-1, 1, { ...last, prints: text })
  }
  return steps
}

function nameOf(text: string): string {
  const [, name] = /^\/\/ (\S+\.ts)\n/.exec(text) ?? []
  if (name === undefined) throw new Error(`a file without its name in its first line: ${text.slice(0, 60)}`)
  return name
}

const commandsOf = (text: string): readonly string[] => text.trim().split(/\n| && /)

/** Whether something was printed as a page shows it; `…` stands for any lines. */
export function isAsShown(printed: string, shown: string): boolean {
  const parts = shown.split(/^…\n/m).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(printed)
}
