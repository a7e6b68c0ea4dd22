/** The last lines of two outputs, as they came, without what nobody has to read: keys of a venue. */

/** What a process prints of more than these is seen in its results. */
const KEPT_LINES = 200
const LONGEST_LINE = 2_000
const KEYS = /\bmtk_[\w-]+/g

export class LastLines {
  readonly #told: (lines: readonly string[]) => void
  readonly #open = { out: '', err: '' }
  #lines: readonly string[] = []

  constructor(told: (lines: readonly string[]) => void) {
    this.#told = told
  }

  add(from: 'out' | 'err', text: string): void {
    const parts = (this.#open[from] + text).split('\n')
    this.#open[from] = (parts.pop() as string).slice(-LONGEST_LINE)
    if (parts.length === 0) return
    this.#take(parts)
    this.#told(this.#lines)
  }

  end(): readonly string[] {
    this.#take([this.#open.out, this.#open.err].filter((rest) => rest !== ''))
    return this.#lines
  }

  #take(lines: readonly string[]): void {
    const shown = lines.map((line) => line.trimEnd().replaceAll(KEYS, 'mtk_…').slice(0, LONGEST_LINE))
    this.#lines = [...this.#lines, ...shown].slice(-KEPT_LINES)
  }
}
