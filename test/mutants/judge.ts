// Trying mistakes: each is put in, tests run up to the first that notices, and it is taken out again.

import { inOrder } from './candidates.ts'
import type { Covering } from './coverage.ts'
import { type Mistake, withMistake } from './mistakes.ts'
import { forEach, type Workbench } from './workbench.ts'

export interface Verdict {
  readonly mistake: Mistake
  readonly result: 'noticed' | 'out of bounds' | 'does not compile' | 'explained' | 'SURVIVED' | 'NOT COVERED'
  /** The test that noticed, the bound, the explanation, or how many test files have passed. */
  readonly by: string
  readonly seconds: number
}

/** What a test file may take with a mistake in it: several times what it takes without, on a machine that is busy. */
const limitFor = (seconds: number): number => 20 + 5 * seconds

export class Judge {
  readonly #benches: readonly Workbench[]
  readonly #patience: number
  readonly #say: (verdict: Verdict) => void
  /** How often a test file has noticed a mistake in a file of src: it is asked first about the next one. */
  readonly #noticed = new Map<string, number>()

  /**
   * @param patience Seconds of tests that pass before a mistake counts as unnoticed.
   * @param noticedBefore The test file that noticed a mistake another time, by the mistake's key.
   */
  constructor(
    benches: readonly Workbench[],
    patience: number,
    noticedBefore: Readonly<Record<string, string>>,
    say: (verdict: Verdict) => void,
  ) {
    this.#benches = benches
    this.#patience = patience
    this.#say = say
    for (const [key, test] of Object.entries(noticedBefore)) this.#count(key.split(': ')[0] as string, test)
  }

  #count(file: string, test: string): void {
    const pair = `${file} ${test}`
    this.#noticed.set(pair, (this.#noticed.get(pair) ?? 0) + 1)
  }

  /** Asks of each mistake the one test file that noticed it another time. What that does not notice stays open. */
  async whereNoticedBefore(
    mistakes: readonly Mistake[],
    noticedBy: Readonly<Record<string, string>>,
  ): Promise<void> {
    const known = mistakes.filter(({ key }) => noticedBy[key] !== undefined)
    const tests = [...new Set(known.map(({ key }) => noticedBy[key] as string))]
    const seconds = new Map<string, number>()
    await forEach(this.#benches, tests, async (bench, test) => {
      const outcome = await bench.run(test, 600)
      if (outcome.result === 'passed') seconds.set(test, outcome.seconds)
    })
    await forEach(this.#benches, known, async (bench, mistake) => {
      const test = noticedBy[mistake.key] as string
      const usual = seconds.get(test)
      if (usual === undefined) return
      const verdict = await this.#verdict(bench, mistake, [{ test, seconds: usual }])
      if (verdict.result !== 'SURVIVED') this.#say(verdict)
    })
  }

  /** Asks of each mistake the test files that pass through it. */
  async wherePassed(mistakes: readonly Mistake[], covering: readonly (readonly Covering[])[]): Promise<void> {
    await forEach(this.#benches, [...mistakes.entries()], async (bench, [index, mistake]) => {
      this.#say(await this.#verdict(bench, mistake, covering[index] as readonly Covering[]))
    })
  }

  async #verdict(bench: Workbench, mistake: Mistake, covering: readonly Covering[]): Promise<Verdict> {
    if (covering.length === 0) return { mistake, result: 'NOT COVERED', by: '', seconds: 0 }
    const pair = (test: string) => `${mistake.file} ${test}`
    const tests = inOrder(mistake, covering, (test) => this.#noticed.get(pair(test)) ?? 0)
    const undo = bench.replace(mistake.file, withMistake(mistake) as string)
    let spent = 0
    let asked = 0
    try {
      for (const { test, seconds } of tests) {
        if (asked > 0 && spent + seconds > this.#patience) break
        const outcome = await bench.run(test, limitFor(seconds))
        spent += outcome.seconds
        asked += 1
        if (outcome.result === 'passed') continue
        this.#count(mistake.file, test)
        const result = outcome.result === 'failed' ? 'noticed' : 'out of bounds'
        return { mistake, result, by: `${test} > ${outcome.by}`, seconds: spent }
      }
      return {
        mistake,
        result: 'SURVIVED',
        by: `${asked} of ${tests.length} test files passed`,
        seconds: spent,
      }
    } finally {
      undo()
    }
  }
}
