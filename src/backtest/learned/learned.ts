/**
 * A model that is learned bar by bar. A row comes to be when the last bar of its label's horizon has closed, and not before: so whatever a fit
 * learns from has happened by then, and no label reaches past the fit (what López de Prado calls purged: Advances in Financial Machine
 * Learning, 2018, chapter 7). There is nothing that would have to be cut off, because it is not there yet.
 */
import { moment } from '../output/presentation.ts'
import { Random } from '../simulated/random.ts'
import type { Bar } from '../strategy/bar.ts'
import { IndicatorLine } from '../strategy/indicator.ts'
import { intervalMs } from '../strategy/interval.ts'
import { FitRecord, type LearnedFit, type MadeFit, madeFit } from './fitRecord.ts'
import { type Plain, stateOf } from './keepable.ts'
import { type KeptModel, KeptModelError, termsOf } from './keptModel.ts'
import { KeptPast } from './keptPast.ts'
import type { LearnedRow, Learning, Model } from './learning.ts'
import { LearningFailure } from './learningFailure.ts'
import { correlation, type Score, skill } from './scores.ts'

/** A bar whose label is not known yet. */
interface Told {
  readonly bar: Bar
  /** Null where the bar has none: it is counted by the horizons of those before it and makes no row. */
  readonly features: readonly number[] | null
  /** Null where there was no model, or there are no features. */
  readonly prediction: { readonly by: FitRecord; readonly value: number } | null
}

/** Who is told of fits as they are made, and of what became of them. */
export interface FitWatch {
  /** A fit was due with a bar that ended at a time, epoch ms; null where it was not made for want of rows. */
  fitted(learned: Learned, at: number, fit: MadeFit | null): void
  /** What a fit foretold is known by a time, epoch ms: all of it, but for one that is not replaced when the run ends. */
  foretold(learned: Learned, at: number, fit: LearnedFit): void
}

type Step = ConstructorParameters<typeof LearningFailure>[0]

const AT_LEAST = 500
/** To move all rows up costs more than a few that are too old. */
const LET_GO_EVERY = 1_024

/**
 * Its `value` is what the model predicts of the bar that is told: null while there is no model, and where the bar has no features. It is compared and
 * drawn as an indicator is.
 *
 * @throws RangeError for what is no interval, and numbers out of range; KeptModelError for a kept model that is another.
 */
export class Learned extends IndicatorLine {
  readonly asset: string
  readonly chart: Learning['chart']
  /** In bars. */
  readonly horizon: number
  readonly window: string
  readonly every: string
  readonly scores: Readonly<Record<string, Score>>
  /** Times that a fit was due and had too few rows. */
  skipped = 0
  /** Told of every fit from the setting on; null for nobody. */
  watch: FitWatch | null = null
  readonly #learning: Learning
  readonly #windowMs: number
  readonly #everyMs: number
  readonly #atLeast: number
  /** The bars of one horizon, the oldest first. */
  readonly #told: Told[] = []
  readonly #rows: LearnedRow[] = []
  /** What it knew when it was kept, where it goes on from that. */
  readonly #past: KeptPast | null
  #added = 0
  /** Last millisecond of the last bar that a label knows. */
  #knownTo = 0
  #width: number | null = null
  #instant: number | null = null
  /** Last millisecond of the last bar, epoch ms. */
  #now = 0
  readonly #fits: FitRecord[] = []

  constructor(
    asset: string,
    name: string,
    learning: Learning,
    isCharted = true,
    kept: KeptModel | null = null,
  ) {
    super(name)
    const {
      horizon,
      window,
      every,
      atLeast = AT_LEAST,
      chart = 'apart',
      scores = { correlation, skill },
    } = learning
    if (!(Number.isSafeInteger(horizon) && horizon >= 1))
      throw new RangeError(`the horizon of ${name} is a whole number of bars from 1 on, not ${horizon}`)
    if (!(Number.isSafeInteger(atLeast) && atLeast >= 1))
      throw new RangeError(`${name} needs at least a whole number of rows from 1 on, not ${atLeast}`)
    this.asset = asset
    this.chart = isCharted ? chart : 'none'
    this.horizon = horizon
    this.window = window
    this.every = every
    this.scores = scores
    this.#learning = learning
    this.#windowMs = intervalMs(window)
    this.#everyMs = intervalMs(every)
    this.#atLeast = atLeast
    this.#past = kept && new KeptPast(kept, termsOf(name, atLeast, learning), learning.fit)
    if (this.#past !== null) this.#goOnFrom(this.#past)
  }

  /** The model that predicts; null before the first fit. */
  get model(): Model | null {
    return this.#fits.at(-1)?.model ?? null
  }

  /** The newest fit as it was made; null before the first. */
  get made(): MadeFit | null {
    return this.#fits.at(-1)?.made ?? null
  }

  /** Every fit so far, the first first: each with what is known of its predictions by now. */
  get fits(): readonly LearnedFit[] {
    return this.#fits.map(({ told }) => told)
  }

  /** Rows that are held for the fits to come: those of the window, and at most 1,024 that are older. */
  get held(): number {
    return this.#rows.length
  }

  /**
   * As it is now, for a run that goes on from here.
   *
   * @throws KeptModelError for a learner whose models cannot be kept.
   */
  get kept(): KeptModel {
    const terms = termsOf(this.name, this.#atLeast, this.#learning)
    return {
      ...{ asset: this.asset, model: this.name, terms, features: this.#width },
      ...{ to: Math.max(this.#now, this.#past?.kept.to ?? 0), skipped: this.skipped, knownTo: this.#knownTo },
      fits: this.#fits.map(({ made, mean, model }) => ({ ...made, mean, state: this.#stateOf(model) })),
      rows: this.#rows.slice(),
      told: this.#told.map(({ bar, features }) => ({ bar, features })),
    }
  }

  /** @throws KeptModelError for a learner whose models cannot be kept. */
  mustBeKeepable(): void {
    termsOf(this.name, this.#atLeast, this.#learning)
  }

  #stateOf(model: Model): Plain {
    const state = stateOf(model)
    if (state === undefined)
      throw new KeptModelError(`the model ${this.name} cannot be kept: a fit of it has no state`)
    return state
  }

  /** What is drawn. */
  get lines(): readonly IndicatorLine[] {
    return [this]
  }

  /**
   * Call with every bar it learns from, once indicators are up to date with it.
   *
   * @param isLast false for a bar that closes only with a later one: what is known by then is more than the bar, so it has no features.
   * @throws LearningFailure for what the functions of the learning throw, and for what they return where it cannot be used; KeptModelError for
   * features that are not those of the kept model.
   */
  add(bar: Bar, isLast: boolean): void {
    this.#now = bar.closeTime
    if (this.#past?.knows(bar) === true) return this.#tellAgain(bar, isLast, this.#past)
    if (this.#told.length === this.horizon) this.#complete(this.#told.shift() as Told, bar)
    if (this.#isDue(bar)) this.#fit(bar)
    const features = isLast ? this.#featuresOf(bar) : null
    const prediction = features === null ? null : this.#predict(features)
    this.#told.push({ bar, features, prediction })
    this.set(prediction?.value ?? null)
  }

  /**
   * The run ends: whoever watches is told what is known of fits whose predictions are still to come true.
   *
   * @throws LearningFailure for what a score throws.
   */
  end(): void {
    for (const fit of this.#fits)
      if (!fit.isSettled) this.#run('scores', () => this.watch?.foretold(this, this.#now, fit.told))
  }

  /** The last bar of a horizon has closed: what came is known. */
  #complete({ bar, features, prediction }: Told, last: Bar): void {
    if (features === null) return
    const ahead = [...this.#told.map((told) => told.bar), last]
    const label = this.#run('label', () => this.#learning.label(ahead, bar))
    if (label !== null && !Number.isFinite(label))
      throw this.#fault('label', `${shown(label)} of the bar at ${moment(bar.closeTime)} UTC is no number`)
    if (prediction !== null) this.#run('scores', () => prediction.by.came(prediction.value, label))
    if (label === null) return
    this.#rows.push(Object.freeze({ closeTime: bar.closeTime, features, label }))
    this.#knownTo = last.closeTime
    this.#added += 1
    if (this.#added % LET_GO_EVERY === 0) this.#letGo(last.closeTime)
  }

  /** Rows that are older than the window. */
  #letGo(now: number): void {
    const since = now - this.#windowMs
    const kept = this.#rows.findIndex(({ closeTime }) => closeTime > since)
    if (kept !== 0) this.#rows.splice(0, kept === -1 ? this.#rows.length : kept)
  }

  /** Whether it is the first bar that closes at or after a multiple of the time between fits. */
  #isDue({ closeTime }: Bar): boolean {
    const instant = Math.floor((closeTime + 1) / this.#everyMs)
    const isDue = this.#instant !== null && instant > this.#instant
    this.#instant = instant
    return isDue
  }

  #fit({ closeTime: at }: Bar): void {
    this.#letGo(at)
    if (this.#rows.length < this.#atLeast) {
      this.skipped += 1
      this.watch?.fitted(this, at, null)
      return
    }
    const { seed = '' } = this.#learning
    const rows = this.#rows.slice()
    const drawn = new Random(`${seed} ${this.asset} ${this.name} ${this.#instant}`).bits()
    const previous = this.model
    const model = this.#run('fit', () => this.#learning.fit(rows, { seed: drawn, previous, at }))
    if (typeof model?.predict !== 'function')
      throw this.#fault(
        'fit',
        `${shown(model)} is no model: it has no predict, which has to be there at once`,
      )
    const inSample = rows.map(({ features }) => this.#predicted(model, features))
    const { made, mean } = this.#run('scores', () =>
      madeFit(this.scores, { at, knownTo: this.#knownTo, rows }, inSample),
    )
    const record = this.#record(model, made, mean)
    this.#run('scores', () => this.#fits.at(-1)?.replaced())
    this.#fits.push(record)
    this.watch?.fitted(this, at, record.made)
  }

  #record(model: Model, made: MadeFit, mean: number): FitRecord {
    return new FitRecord(model, this.scores, made, mean, (settled) =>
      this.watch?.foretold(this, this.#now, settled),
    )
  }

  #goOnFrom({ kept, models }: KeptPast): void {
    for (const [index, { state: _state, mean, ...made }] of kept.fits.entries()) {
      this.#fits.at(-1)?.replaced()
      this.#fits.push(this.#record(models[index] as Model, made, mean))
    }
    this.#rows.push(...kept.rows)
    this.#told.push(...kept.told.map((told) => ({ ...told, prediction: null })))
    this.#knownTo = kept.knownTo
    this.#width = kept.features
    this.#instant = Math.floor((kept.to + 1) / this.#everyMs)
    this.skipped = kept.skipped
  }

  /** Of a bar that it has learned of before it says what it said then. */
  #tellAgain(bar: Bar, isLast: boolean, past: KeptPast): void {
    const features = isLast ? this.#featuresOf(bar) : null
    past.mustAgree(bar, features)
    const model = past.modelAt(bar.closeTime)
    this.set(features === null || model === null ? null : this.#predicted(model, features))
  }

  #featuresOf(bar: Bar): readonly number[] | null {
    const given = this.#run('features', () => this.#learning.features(bar))
    if (given === null) return null
    if (!Array.isArray(given))
      throw this.#fault('features', `${shown(given)} is no list of numbers, and not null`)
    // What anybody does with the list later changes no row.
    const features: readonly unknown[] = Object.freeze([...given])
    this.#width ??= features.length
    if (features.length !== this.#width)
      throw (
        this.#past?.ofWidth(features.length) ??
        this.#fault('features', `${features.length} number(s), where the bars before had ${this.#width}`)
      )
    const odd = features.findIndex((feature) => !Number.isFinite(feature))
    if (odd !== -1) throw this.#fault('features', `${shown(features[odd])} in the place ${odd} is no number`)
    return features as readonly number[]
  }

  #predict(features: readonly number[]): Told['prediction'] {
    const by = this.#fits.at(-1)
    if (by === undefined) return null
    const value = this.#predicted(by.model, features)
    by.predicted()
    return { by, value }
  }

  #predicted(model: Model, features: readonly number[]): number {
    const value = this.#run('predict', () => model.predict(features))
    if (!Number.isFinite(value)) throw this.#fault('predict', `${shown(value)} is no number`)
    return value
  }

  #run<T>(step: Step, call: () => T): T {
    try {
      return call()
    } catch (error) {
      throw this.#fault(step, error)
    }
  }

  #fault(step: Step, cause: unknown): LearningFailure {
    return new LearningFailure(step, this, cause)
  }
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
