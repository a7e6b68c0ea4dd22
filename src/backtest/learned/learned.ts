/**
 * A model that is learned bar by bar. A row comes to be when the last bar of its label's horizon has closed, and not before: so whatever a fit
 * learns from has happened by then, and no label reaches past the fit (what López de Prado calls purged: Advances in Financial Machine
 * Learning, 2018, chapter 7). There is nothing that would have to be cut off, because it is not there yet.
 */
import { Random } from '../simulated/random.ts'
import type { Bar } from '../strategy/bar.ts'
import { IndicatorLine } from '../strategy/indicator.ts'
import { FitRecord, type LearnedFit, type MadeFit, madeFit } from './fitRecord.ts'
import { delayOf, FitSchedule } from './fitSchedule.ts'
import { type Plain, stateOf } from './keepable.ts'
import { type KeptModel, KeptModelError, termsOf } from './keptModel.ts'
import { KeptPast } from './keptPast.ts'
import type { LearnedRow, Learning, Model } from './learning.ts'
import { LearningCalls } from './learningCalls.ts'
import { type FitOfRows, PendingFit } from './pendingFit.ts'
import { correlation, type Score, skill } from './scores.ts'

/** A bar whose label is not known yet. */
interface Told {
  readonly bar: Bar
  /** Null where the bar has none: it is counted by the horizons of those before it and makes no row. */
  readonly features: readonly number[] | null
  /** Null where there was no model, or there are no features. */
  readonly prediction: { readonly by: FitRecord; readonly value: number } | null
}

/** Who is told of fits as they are made, and of what became of them. Times are epoch ms. */
export interface FitWatch {
  /** A fit was begun, and is used later. */
  begun(learned: Learned, fit: PendingFit): void
  /** A fit is not done when it is to be used, and is waited for: what is returned is called once it is. */
  awaited(learned: Learned, fit: PendingFit): () => void
  /** With a bar that ended at a time a fit was made, or one that was begun earlier is used from now on; null where there were too few rows. */
  fitted(learned: Learned, at: number, fit: MadeFit | null): void
  /** What a fit foretold is known by a time: all of it, but for one that is not replaced when the run ends. */
  foretold(learned: Learned, at: number, fit: LearnedFit): void
}

const AT_LEAST = 500
/** To move all rows up costs more than a few that are too old. */
const LET_GO_EVERY = 1_024

/**
 * Its `value` is what the model predicts of the bar that is told: null while there is no model, and where the bar has no features. It is compared and
 * drawn as an indicator is.
 *
 * @throws RangeError for what is no interval, and numbers out of range; KeptModelError for a kept model that is another; LearningFailure for a fit of
 * it that was under way and fails at once.
 */
export class Learned extends IndicatorLine {
  readonly asset: string
  readonly chart: Learning['chart']
  /** In bars. */
  readonly horizon: number
  readonly window: string
  readonly every: string
  /** How long after it is made a fit is used; null where it is used at once. */
  readonly takesEffectAfter: string | null
  readonly scores: Readonly<Record<string, Score>>
  /** Times that a fit was due and had too few rows. */
  skipped = 0
  /** Told of every fit from the setting on; null for nobody. */
  watch: FitWatch | null = null
  readonly #learning: Learning
  readonly #calls: LearningCalls
  readonly #schedule: FitSchedule
  readonly #atLeast: number
  /** The bars of one horizon, the oldest first. */
  readonly #told: Told[] = []
  readonly #rows: LearnedRow[] = []
  /** What it knew when it was kept, where it goes on from that. */
  readonly #past: KeptPast | null
  #added = 0
  /** Last millisecond of the last bar that a label knows. */
  #knownTo = 0
  /** Last millisecond of the last bar, epoch ms. */
  #now = 0
  readonly #fits: FitRecord[] = []
  /** Begun and not used yet, the first first. */
  readonly #pending: PendingFit[] = []

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
    this.takesEffectAfter = delayOf(learning)
    this.#learning = learning
    this.#calls = new LearningCalls(learning, this, (width) => this.#past?.ofWidth(width))
    this.#schedule = new FitSchedule(name, learning)
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

  /** Fits that were begun and are not used yet, the first first. */
  get pending(): readonly PendingFit[] {
    return this.#pending
  }

  /** Every fit that was used so far, the first first: each with what is known of its predictions by now. */
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
      ...{ asset: this.asset, model: this.name, terms, features: this.#calls.width },
      ...{ to: Math.max(this.#now, this.#past?.kept.to ?? 0), skipped: this.skipped, knownTo: this.#knownTo },
      fits: this.#fits.map(({ made, mean, model }) => ({ ...made, mean, state: this.#stateOf(model) })),
      rows: this.#rows.slice(),
      told: this.#told.map(({ bar, features }) => ({ bar, features })),
      pending: this.#pending.map((fit) => fit.of),
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
   * Whether a fit that is to be used with this bar has to be waited for, before {@link add}: ask again after it. A bar of the data, where it
   * learns of longer ones.
   *
   * @returns undefined where none has to be; else whether it is done: false once the run was left, and nobody is to be told of the bar.
   */
  ready({ closeTime }: Bar): Promise<boolean> | undefined {
    const awaited = this.#pending.find((fit) => fit.isUnderWay && fit.isUsedAt(closeTime))
    return awaited === undefined ? undefined : this.#over(awaited)
  }

  /** Fits that are under way are not waited for any more. */
  leave(): void {
    for (const fit of this.#pending) fit.leave()
  }

  /**
   * Call with every bar it learns from, once indicators are up to date with it.
   *
   * @param toldAt the end of the bar of the data with which it closes, epoch ms. Of a longer bar that one may be a later one: what is known by then is more
   *   than the bar, so it has no features.
   * @throws LearningFailure for what the functions of the learning throw, and for what they return where it cannot be used; KeptModelError for
   * features that are not those of the kept model.
   */
  add(bar: Bar, toldAt: number): void {
    const isLast = bar.closeTime === toldAt
    this.#now = bar.closeTime
    if (this.#past?.knows(bar) === true) return this.#tellAgain(bar, isLast, this.#past)
    if (this.#told.length === this.horizon) this.#complete(this.#told.shift() as Told, bar)
    this.#useDone(bar)
    if (this.#schedule.isDue(bar)) this.#fit(bar, toldAt)
    const features = isLast ? this.#calls.features(bar) : null
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
      if (!fit.isSettled) this.#calls.scored(() => this.watch?.foretold(this, this.#now, fit.told))
  }

  /** The last bar of a horizon has closed: what came is known. */
  #complete({ bar, features, prediction }: Told, last: Bar): void {
    if (features === null) return
    const ahead = [...this.#told.map((told) => told.bar), last]
    const label = this.#calls.label(ahead, bar)
    if (prediction !== null) this.#calls.scored(() => prediction.by.came(prediction.value, label))
    if (label === null) return
    this.#rows.push(Object.freeze({ closeTime: bar.closeTime, features, label }))
    this.#knownTo = last.closeTime
    this.#added += 1
    if (this.#added % LET_GO_EVERY === 0) this.#letGo(last.closeTime)
  }

  /** Rows that are older than the window. */
  #letGo(now: number): void {
    const since = now - this.#schedule.windowMs
    const kept = this.#rows.findIndex(({ closeTime }) => closeTime > since)
    if (kept !== 0) this.#rows.splice(0, kept === -1 ? this.#rows.length : kept)
  }

  #fit({ closeTime: at }: Bar, toldAt: number): void {
    this.#letGo(at)
    if (this.#rows.length < this.#atLeast) {
      this.skipped += 1
      this.watch?.fitted(this, at, null)
      return
    }
    const takesEffectAt = this.#schedule.takesEffectAt(toldAt)
    const fit = { at, takesEffectAt, knownTo: this.#knownTo, rows: this.#rows.slice() }
    if (!this.#schedule.isDelayed)
      return this.#use(fit, this.#calls.fit(fit.rows, this.#about(fit, this.model)), null)
    const pending = this.#begin(fit, this.model)
    this.watch?.begun(this, pending)
  }

  #begin(fit: FitOfRows, previous: Model | null): PendingFit {
    const pending = new PendingFit(fit, (signal) =>
      this.#calls.begin(fit.rows, { ...this.#about(fit, previous), signal }),
    )
    this.#pending.push(pending)
    return pending
  }

  #about({ at }: FitOfRows, previous: Model | null) {
    const { seed = '' } = this.#learning
    const instant = this.#schedule.instantOf(at)
    const drawn = new Random(`${seed} ${this.asset} ${this.name} ${instant}`).bits()
    return { seed: drawn, previous, at }
  }

  async #over(fit: PendingFit): Promise<boolean> {
    const onOver = this.watch?.awaited(this, fit)
    const isDone = await fit.over
    if (isDone) onOver?.()
    return isDone
  }

  /** Fits that were begun earlier, and whose time it is. */
  #useDone({ closeTime }: Bar): void {
    for (let [fit] = this.#pending; fit?.isUsedAt(closeTime); [fit] = this.#pending) {
      const model = this.#calls.done(fit)
      this.#pending.shift()
      this.#use(fit.of, model, closeTime)
    }
  }

  /** `from` is the end of the bar from which on it is used; null where that is the one with which it was made. */
  #use(fit: FitOfRows, model: Model, from: number | null): void {
    const inSample = fit.rows.map(({ features }) => this.#calls.predict(model, features))
    const { made, mean } = this.#calls.scored(() => madeFit(this.scores, fit, inSample, from))
    const record = this.#record(model, made, mean)
    this.#calls.scored(() => this.#fits.at(-1)?.replaced())
    this.#fits.push(record)
    this.watch?.fitted(this, from ?? fit.at, record.made)
  }

  #record(model: Model, made: MadeFit, mean: number): FitRecord {
    return new FitRecord(model, this.scores, made, mean, (settled) =>
      this.watch?.foretold(this, this.#now, settled),
    )
  }

  #goOnFrom(past: KeptPast): void {
    const { kept, models } = past
    for (const [index, { state: _state, mean, ...made }] of kept.fits.entries()) {
      this.#fits.at(-1)?.replaced()
      this.#fits.push(this.#record(models[index] as Model, made, mean))
    }
    this.#rows.push(...kept.rows)
    this.#told.push(...kept.told.map((told) => ({ ...told, prediction: null })))
    this.#knownTo = kept.knownTo
    this.#calls.width = kept.features
    this.#schedule.goOnFrom(kept.to)
    this.skipped = kept.skipped
    for (const fit of kept.pending) this.#begin(fit, past.modelAt(fit.at))
  }

  /** Of a bar that it has learned of before it says what it said then. */
  #tellAgain(bar: Bar, isLast: boolean, past: KeptPast): void {
    const features = isLast ? this.#calls.features(bar) : null
    past.mustAgree(bar, features)
    const model = past.modelAt(bar.closeTime)
    this.set(features === null || model === null ? null : this.#calls.predict(model, features))
  }

  #predict(features: readonly number[]): Told['prediction'] {
    const by = this.#fits.at(-1)
    if (by === undefined) return null
    const value = this.#calls.predict(by.model, features)
    by.predicted()
    return { by, value }
  }
}
