/** Progress of long work: a bar on a terminal, nothing when piped. Always on stderr. */
import { SingleBar } from 'cli-progress'
import { tellProgress } from './toldProgress.ts'

export class Progress {
  readonly #bar: SingleBar | null

  /** `quiet` suppresses the bar even on a terminal. */
  constructor(title: string, quiet = false) {
    this.#bar =
      quiet || !process.stderr.isTTY
        ? null
        : new SingleBar({
            format: `${title} {value} rows  {detail}  {duration_formatted}`,
            stream: process.stderr,
            clearOnComplete: true,
            hideCursor: true,
          })
    this.#bar?.start(0, 0, { detail: '' })
  }

  update(done: number, detail: string): void {
    this.#bar?.update(done, { detail })
    tellProgress({ done, total: null, unit: 'rows', detail })
  }

  end(): void {
    this.#bar?.stop()
  }
}

/** Progress of work whose extent is known. */
export class CountedProgress {
  readonly #bar: SingleBar | null
  readonly #unit: string
  #started = false

  constructor(title: string, unit: string, quiet = false) {
    this.#unit = unit
    this.#bar =
      quiet || !process.stderr.isTTY
        ? null
        : new SingleBar({
            format: `${title} {bar} {value}/{total} ${unit}  {duration_formatted}, {eta_formatted} left`,
            stream: process.stderr,
            clearOnComplete: true,
            hideCursor: true,
          })
  }

  update({ done, total }: { readonly done: number; readonly total: number }): void {
    if (!this.#started) this.#bar?.start(total, done)
    this.#started = true
    this.#bar?.update(done)
    tellProgress({ done, total, unit: this.#unit, detail: '' })
  }

  end(): void {
    this.#bar?.stop()
  }
}
