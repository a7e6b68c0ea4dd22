/** Kept models as text: what stands in each file of their folder. Prices of bars are fp9 text, times ISO 8601 in the list and epoch ms below it. */
import { type Static, type TSchema, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { Plain } from './keepable.ts'
import { type KeptFit, type KeptModel, KeptModelError } from './keptModel.ts'
import { plainText, readPlain } from './plainText.ts'

/** Changes whenever older files can no longer be read. */
export const MODELS_FORMAT = 1

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const File = { file: Type.String({ pattern: '^[A-Za-z0-9-]+\\.json$' }), sha256: Type.String() }

const ListedModel = Type.Object({
  asset: Type.String(),
  model: Type.String(),
  learner: Type.Unknown(),
  horizon: Type.Number(),
  window: Type.String(),
  every: Type.String(),
  takesEffectAfter: Type.Optional(Type.String()),
  interval: orNull(Type.String()),
  atLeast: Type.Number(),
  seed: Type.String(),
  featureNames: orNull(Type.Array(Type.String())),
  features: orNull(Type.Number()),
  skipped: Type.Number(),
  fits: Type.Array(Type.Object({ at: Type.String(), ...File })),
  goesOn: Type.Object(File),
})
export type ListedModel = Static<typeof ListedModel>

const Listed = Type.Object({
  format: Type.Literal(MODELS_FORMAT),
  software: Type.String(),
  models: Type.Array(ListedModel),
})
export type Listed = Static<typeof Listed>

const Fit = Type.Object({
  at: Type.Number(),
  usedFrom: Type.Optional(Type.Number()),
  rows: Type.Number(),
  from: Type.Number(),
  to: Type.Number(),
  knownTo: Type.Number(),
  mean: Type.Number(),
  inSample: Type.Record(Type.String(), orNull(Type.Number())),
  learner: Type.Unknown(),
  state: Type.Unknown(),
})

const Price = Type.String({ pattern: '^[0-9]{1,30}$' })
const Rows = Type.Array(
  Type.Object({ closeTime: Type.Number(), features: Type.Array(Type.Number()), label: Type.Number() }),
)
const GoesOn = Type.Object({
  to: Type.Number(),
  knownTo: Type.Number(),
  rows: Rows,
  pending: Type.Optional(
    Type.Array(
      Type.Object({ at: Type.Number(), takesEffectAt: Type.Number(), knownTo: Type.Number(), rows: Rows }),
    ),
  ),
  told: Type.Array(
    Type.Object({
      openTime: Type.Number(),
      closeTime: Type.Number(),
      open: Price,
      high: Price,
      low: Price,
      close: Price,
      volume: Type.Number(),
      features: orNull(Type.Array(Type.Number())),
    }),
  ),
})

function formed<Form extends TSchema>(form: Form, value: unknown, place: string): Static<Form> {
  if (Check(form, value)) return value
  const [fault] = Errors(form, value)
  const at = fault?.instancePath.split('/').slice(1).join('.') ?? ''
  throw new KeptModelError(`${place}: ${at === '' ? '' : `${at} `}${fault?.message ?? 'has another form'}`)
}

/** @throws KeptModelError for what is no list of models of this format. */
export function listedOf(value: Plain, file: string): Listed {
  return formed(Listed, value, file)
}

/** @throws KeptModelError for what has another form. */
export function modelOf(
  listed: ListedModel,
  fits: readonly Plain[],
  goesOn: Plain,
  place: string,
): KeptModel {
  const { asset, model, features, skipped, fits: _fits, goesOn: _goesOn, ...terms } = listed
  const on = formed(GoesOn, goesOn, `${place}: ${listed.goesOn.file}`)
  return {
    ...{ asset, model, features, skipped, to: on.to, knownTo: on.knownTo },
    terms: { ...terms, learner: terms.learner as Plain },
    fits: fits.map((fit, index): KeptFit => {
      const read = formed(Fit, fit, `${place}: ${listed.fits[index]?.file}`)
      const { at, usedFrom, rows, from, to, knownTo, mean, inSample, state } = read
      const used = usedFrom === undefined ? {} : { usedFrom }
      return { at, ...used, rows, from, to, knownTo, mean, inSample, state: state as Plain }
    }),
    rows: on.rows,
    pending: on.pending ?? [],
    told: on.told.map(({ features: told, ...bar }) => ({
      features: told,
      bar: {
        ...bar,
        asset,
        open: BigInt(bar.open),
        high: BigInt(bar.high),
        low: BigInt(bar.low),
        close: BigInt(bar.close),
      },
    })),
  }
}

export const keptText = {
  read: readPlain,

  /** What the list says of a model, and the texts of its files. @throws TypeError for a state that is no plain JSON. */
  of({ asset, model, terms, features, to, skipped, fits, knownTo, rows, told, pending }: KeptModel) {
    const plainRows = (own: KeptModel['rows']) => own.map((row) => ({ ...row }))
    const begun = pending.map((fit) => ({ ...fit, rows: plainRows(fit.rows) }))
    const later = begun.length === 0 ? {} : { pending: begun }
    const bars = told.map(({ bar, features: own }) => ({
      ...{ openTime: bar.openTime, closeTime: bar.closeTime },
      ...{ open: `${bar.open}`, high: `${bar.high}`, low: `${bar.low}`, close: `${bar.close}` },
      ...{ volume: bar.volume, features: own },
    }))
    return {
      about: {
        asset,
        model,
        ...terms,
        featureNames: terms.featureNames && [...terms.featureNames],
        features,
        skipped,
      },
      fits: fits.map(({ state, at, ...made }) => ({
        at,
        text: `${plainText({ model, asset, learner: terms.learner, at, ...made, state })}\n`,
      })),
      goesOn: `${plainText({ model, asset, to, knownTo, rows: plainRows(rows), ...later, told: bars })}\n`,
    }
  },
}
