/**
 * What a result.json holds, as far as it is read again: it may come from anywhere, and from a hand that changed it. Loaded when
 * a saved run is read, so that nobody else waits for it.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { SavedReportError } from './savedReportError.ts'

const numbers = Type.Array(Type.Number())
const texts = Type.Array(Type.String())
const named = Type.Array(Type.Tuple([Type.String(), Type.String()]))
const rows = Type.Array(Type.Object({}))
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const InputFile = Type.Object({ use: Type.String(), path: Type.String(), sha256: Type.String() })

/** How it was made; what the plan holds is the plan's own check. */
export const SavedProvenance = Type.Object({
  software: Type.String(),
  command: orNull(Type.String()),
  plan: Type.Object({}),
  bothPaths: Type.Boolean(),
  files: Type.Array(InputFile),
})

/** The sections of a report, each of its kind: what the pages draw. What earlier versions did not write may be missing. */
export const SavedReport = Type.Object({
  software: Type.String(),
  strategy: Type.String(),
  facts: named,
  headline: rows,
  statistics: rows,
  costs: rows,
  totals: Type.Optional(Type.String()),
  evaluation: Type.Object({
    outcome: Type.String(),
    title: Type.String(),
    reason: Type.String(),
    rules: rows,
  }),
  ambiguity: Type.Object({ total: Type.Number(), bars: rows }),
  others: rows,
  sources: rows,
  notes: texts,
  rejections: Type.Array(Type.Tuple([Type.String(), Type.Number()])),
  stateHash: Type.String(),
  madeBy: Type.Optional(
    orNull(Type.Object({ command: orNull(Type.String()), settings: named, files: Type.Array(InputFile) })),
  ),
  charts: Type.Object({
    assets: texts,
    candles: rows,
    curve: Type.Object({
      time: numbers,
      equity: numbers,
      balance: numbers,
      exposure: numbers,
      drawdown: numbers,
    }),
    floors: Type.Array(Type.Tuple([Type.Number(), orNull(Type.Number()), orNull(Type.Number())])),
    verdictAt: orNull(Type.Number()),
    trades: Type.Object({ total: Type.Number(), rows: Type.Array(Type.Unknown()) }),
    daily: Type.Object({ days: numbers, returns: numbers }),
    tradePnl: orNull(Type.Object({ from: numbers, width: Type.Number(), count: numbers })),
    dailyReturn: orNull(Type.Object({ from: numbers, width: Type.Number(), count: numbers })),
  }),
})

/** What a run is called by when it is compared. */
export const SavedHead = Type.Object({
  strategy: Type.String(),
  from: Type.String(),
  to: Type.String(),
  verdict: Type.Object({ outcome: Type.String() }),
  stateHash: Type.String(),
})

/** A figure of a saved run. */
export const SavedAmount = orNull(Type.String({ pattern: '^-?[0-9]{1,60}$' }))
export const SavedNumber = orNull(Type.Number())

/**
 * The value, if it has a form.
 *
 * @throws SavedReportError that says where it has not: `run/result.json: report.charts.curve.time must be array`.
 */
export function formed<Form extends TSchema>(
  form: Form,
  value: unknown,
  file: string,
  at = '',
): Static<Form> {
  if (Check(form, value)) return value
  const [fault] = Errors(form, value)
  const within = fault?.instancePath.split('/').slice(1) ?? []
  const place = [at, ...within].filter((part) => part !== '').join('.')
  throw new SavedReportError(
    `${file}: ${place === '' ? '' : `${place} `}${fault?.message ?? 'has another form'}`,
  )
}
