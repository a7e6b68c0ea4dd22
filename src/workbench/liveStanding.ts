/** How a live run stands, as its process tells the workbench that has started it: what a trader has to see while it goes on. */
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** fp9: an integer of 10⁻⁹ as text, exact. */
const amount = Type.String({ pattern: '^-?[0-9]{1,30}$' })
const amountOrNull = Type.Union([amount, Type.Null()])
const text = Type.String({ maxLength: 2_000 })
const textOrNull = Type.Union([text, Type.Null()])
/** Epoch ms. */
const time = Type.Number()
const side = Type.Union([Type.Literal('long'), Type.Literal('short')])

/** Rows of a kind that are told, the newest; how many there are is told beside them. */
export const MOST_ROWS = 50

const LiveStanding = Type.Object({
  /** By the venue's clock. */
  at: time,
  accountId: text,
  /** `active`, or why it does not trade. */
  status: text,
  phase: textOrNull,
  equity: amount,
  balance: amount,
  free: amount,
  /** What may still be lost today, and in all; null where the rule is off. */
  dailyLossLeft: amountOrNull,
  totalLossLeft: amountOrNull,
  markets: Type.Array(
    Type.Object({
      asset: text,
      price: amount,
      status: Type.Union([Type.Literal('open'), Type.Literal('paused'), Type.Literal('close_only')]),
    }),
  ),
  /** How many are open, and the newest of them. */
  open: Type.Number(),
  positions: Type.Array(
    Type.Object({
      ...{ id: text, asset: text, side, size: amount, entry: amount, price: amount },
      /** Unrealized, as the price alone makes it. */
      ...{ pnl: amount, margin: amount },
      /** 0 is never. */
      liquidation: amount,
    }),
    { maxItems: MOST_ROWS },
  ),
  /** How many rest, and the newest of them. */
  resting: Type.Number(),
  orders: Type.Array(
    Type.Object({
      ...{ id: text, asset: text, type: text, side },
      /** 0 where it has none. */
      trigger: amount,
      /** Of an entry quote, of an exit the size that it closes. */
      ...{ amount, closes: Type.Boolean() },
    }),
    { maxItems: MOST_ROWS },
  ),
  /** The newest first. */
  fills: Type.Array(
    Type.Object({
      ...{ at: time, asset: text, action: text, side, reason: text, size: amount, price: amount },
      ...{ fee: amount, pnl: amountOrNull, part: textOrNull },
    }),
    { maxItems: MOST_ROWS },
  ),
  /** What befell it since it began, the newest first: refusals, lost connections, late bars. */
  incidents: Type.Array(Type.Object({ at: time, kind: text, asset: textOrNull, what: text }), {
    maxItems: MOST_ROWS,
  }),
  /** Since when the venue is not heard; null while it is. */
  lostAt: Type.Union([time, Type.Null()]),
})
export type LiveStanding = Static<typeof LiveStanding>

/** What a process says is another's word: a strategy runs in it. */
export function isStanding(said: unknown): said is { readonly standing: LiveStanding } {
  return typeof said === 'object' && said !== null && 'standing' in said && Check(LiveStanding, said.standing)
}
