// Trying mistakes: each is put in, tests run up to the first that notices, and it is taken out again.

import { inOrder, likely, UNKNOWN_SECONDS } from './candidates.ts'
import type { Covering } from './coverage.ts'
import { type Mistake, withMistake } from './mistakes.ts'
import { placeOf } from './noticedBy.ts'
import type { Passed } from './passed.ts'
import type { TimeBound } from './timeBound.ts'
import { forEach, type Workbench } from './workbench.ts'

export interface Verdict {
  readonly mistake: Mistake
  readonly result:
    | 'noticed'
    | 'out of bounds'
    | 'does not compile'
    | 'explained'
    | 'SURVIVED'
    | 'NOT COVERED'
    | 'not judged'
  /** The test that noticed, the bound, the explanation, or how many test files have passed. */
  readonly by: string
  readonly seconds: number
}

/** What a test file may take with a mistake in it: several times what it takes without, as some of it waits for other processes. */
const limitFor = (seconds: number): number => 20 + 5 * seconds

export class Judge {
  readonly #benches: readonly Workbench[]
  readonly #patience: number
  readonly #bound: TimeBound
  readonly #say: (verdict: Verdict) => void
  readonly #noticedBefore: Readonly<Record<string, string>>
  readonly #passed: Passed
  /** How often a test file has noticed a mistake in a file of src: it is asked first about the next one. */
  readonly #noticed = new Map<string, Map<string, number>>()
  /** What a test file, or some tests of it, take without any mistake, seconds; null where they did not pass. */
  readonly #usual = new Map<string, Promise<number | null>>()
  /** Of the test files that were run as a whole, seconds. */
  readonly #known = new Map<string, number>()
  /** Of those that were measured as well, seconds in all. */
  readonly #spent = { here: 0, whenMeasured: 0 }
  /** Test files that do not pass without any mistake, and so are asked of none: each with the test that fails. */
  readonly failing = new Map<string, string>()
  /** Mistakes of which no likely test file could be asked. */
  readonly unasked: Mistake[] = []

  /**
   * @param patience Seconds of tests that pass before a mistake counts as unnoticed.
   * @param bound What is not judged by then is left.
   * @param noticedBefore The test that noticed a mistake another time, by the mistake's key.
   */
  constructor(
    benches: readonly Workbench[],
    patience: number,
    bound: TimeBound,
    noticedBefore: Readonly<Record<string, string>>,
    passed: Passed,
    say: (verdict: Verdict) => void,
  ) {
    this.#benches = benches
    this.#patience = patience
    this.#bound = bound
    this.#say = say
    this.#noticedBefore = noticedBefore
    this.#passed = passed
    for (const [key, by] of Object.entries(noticedBefore))
      this.#count(key.split(': ')[0] as string, placeOf(by).test)
  }

  #timesNoticed({ file }: Mistake, test: string): number {
    return this.#noticed.get(file)?.get(test) ?? 0
  }

  #count(file: string, test: string): void {
    const counts = this.#noticed.get(file) ?? new Map<string, number>()
    this.#noticed.set(file, counts.set(test, (counts.get(test) ?? 0) + 1))
  }

  /** Asks of each mistake the one test that noticed it another time. What it does not notice stays open. */
  async whereNoticed(mistakes: readonly Mistake[], asked: readonly string[]): Promise<void> {
    const places = mistakes.flatMap((mistake) => {
      const by = this.#noticedBefore[mistake.key]
      const place = by === undefined ? undefined : placeOf(by)
      return place !== undefined && asked.includes(place.test) ? [{ mistake, ...place }] : []
    })
    const namesOf = (test: string): string[] => {
      const names = places.filter((place) => place.test === test).map(({ name }) => name)
      return names.includes(null) ? [] : [...new Set(names as string[])]
    }
    await forEach(this.#benches, places, async (bench, { mistake, test, name }) => {
      const alone = await this.#secondsOf(bench, test, namesOf(test))
      // Tests that need those before them pass only with the whole file.
      const seconds = alone ?? (await this.#secondsOf(bench, test, []))
      if (seconds === null) return
      const names = alone === null || name === null ? [] : [name]
      this.#sayUnlessOpen(await this.#verdict(bench, mistake, [{ test, seconds }], names))
    })
  }

  /**
   * Asks of each mistake the test files where one would look for it. What they do not notice stays open.
   *
   * @param unnoticed Told of what they do not notice, how many of them were asked, and of nothing that there was no time for.
   */
  async whereLikely(
    mistakes: readonly Mistake[],
    asked: readonly string[],
    unnoticed: (mistake: Mistake, asked: string, seconds: number) => void,
  ): Promise<void> {
    await forEach(this.#benches, mistakes, async (bench, mistake) => {
      const tests = likely(mistake, asked, this.#noticed, this.#passed)
      const patient = await this.#unnoticedIn(bench, mistake, tests)
      if (patient === null || this.#bound.isOver) return
      if (patient.asked === 0) this.unasked.push(mistake)
      else unnoticed(mistake, `${patient.asked} of ${tests.length} likely test files passed`, patient.seconds)
    })
  }

  /**
   * Asks one file after the other, and of each only when it has noticed what it says without any mistake.
   *
   * @returns how many passed, and in how many seconds; null when one noticed, or there was no time.
   */
  async #unnoticedIn(
    bench: Workbench,
    mistake: Mistake,
    tests: readonly string[],
  ): Promise<{ readonly asked: number; readonly seconds: number } | null> {
    let spent = 0
    let asked = 0
    for (const test of tests) {
      const isKnown = this.#known.has(test) || this.#passed.secondsOf(test) !== undefined
      const seconds = this.#expected(test)
      if (this.failing.has(test) || (asked > 0 && spent + seconds > this.#patience)) continue
      const verdict = await this.#verdict(bench, mistake, [{ test, seconds }])
      if (verdict === null) return null
      // What passed when it was measured may fail here without any mistake, and what was not may always take as long.
      if (verdict.result === 'out of bounds' && !isKnown) {
        const usual = await this.#secondsOf(bench, test, [])
        if (usual === null || usual > seconds) continue
      } else if (verdict.result !== 'SURVIVED' && !(await this.#passes(bench, verdict.by))) continue
      if (verdict.result === 'SURVIVED') this.#took(test, verdict.seconds)
      spent += verdict.seconds
      asked += 1
      if (verdict.result === 'SURVIVED') continue
      this.#say({ ...verdict, seconds: spent })
      return null
    }
    return { asked, seconds: spent }
  }

  /** What it took here; where it has not run here, what it took when it was measured, by the pace of those that have. */
  #expected(test: string): number {
    const measured = this.#passed.secondsOf(test)
    return this.#known.get(test) ?? (measured === undefined ? UNKNOWN_SECONDS : measured * this.#pace)
  }

  #took(test: string, seconds: number): void {
    const measured = this.#passed.secondsOf(test)
    if (measured !== undefined && !this.#known.has(test)) {
      this.#spent.here += seconds
      this.#spent.whenMeasured += measured
    }
    this.#known.set(test, seconds)
  }

  /** A machine that was busy when tests were measured is not taken to be so for good. */
  get #pace(): number {
    const { here, whenMeasured } = this.#spent
    return whenMeasured === 0 ? 1 : here / whenMeasured
  }

  /** Whether what noticed passes without any mistake: the test by itself, or else its whole file. */
  async #passes(bench: Workbench, by: string): Promise<boolean> {
    const { test, name } = placeOf(by)
    if (this.#usual.has(test) || name === null) return (await this.#secondsOf(bench, test, [])) !== null
    return (
      (await this.#secondsOf(bench, test, [name])) !== null ||
      (await this.#secondsOf(bench, test, [])) !== null
    )
  }

  #sayUnlessOpen(verdict: Verdict | null): void {
    if (verdict !== null && verdict.result !== 'SURVIVED') this.#say(verdict)
  }

  #secondsOf(bench: Workbench, test: string, names: readonly string[]): Promise<number | null> {
    const key = [test, ...names].join('\n')
    const known = this.#usual.get(key)
    if (known !== undefined) return known
    const seconds = bench.run(test, 600, { names, within: this.#bound.left }).then((outcome) => {
      if (outcome.result === 'passed') {
        if (names.length === 0) this.#took(test, outcome.seconds)
        return outcome.seconds
      }
      if (names.length === 0 && !this.#bound.isOver) this.failing.set(test, outcome.by)
      return null
    })
    this.#usual.set(key, seconds)
    return seconds
  }

  /** Asks of each mistake the test files that pass through it. */
  async wherePassed(mistakes: readonly Mistake[], covering: readonly (readonly Covering[])[]): Promise<void> {
    await forEach(this.#benches, [...mistakes.entries()], async (bench, [index, mistake]) => {
      const verdict = await this.#verdict(bench, mistake, covering[index] as readonly Covering[])
      if (verdict !== null) this.#say(verdict)
    })
  }

  /**
   * Null when there was no time left for one.
   *
   * @param names Of the tests to ask; empty for all of them.
   */
  async #verdict(
    bench: Workbench,
    mistake: Mistake,
    covering: readonly Covering[],
    names: readonly string[] = [],
  ): Promise<Verdict | null> {
    if (covering.length === 0) return { mistake, result: 'NOT COVERED', by: '', seconds: 0 }
    if (this.#bound.isOver) return null
    const tests = inOrder(mistake, covering, (test) => this.#timesNoticed(mistake, test))
    const undo = bench.replace(mistake.file, withMistake(mistake) as string)
    let spent = 0
    let asked = 0
    try {
      for (const { test, seconds } of tests) {
        if (asked > 0 && spent + seconds > this.#patience) break
        const outcome = await bench.run(test, limitFor(seconds), { names, within: this.#bound.left })
        if (outcome.result !== 'failed' && this.#bound.isOver) return null
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
