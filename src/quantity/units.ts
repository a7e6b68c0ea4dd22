/**
 * What an fp9 integer counts. The scale is always 10^9; the unit is not, and mixing units is how money gets lost.
 *
 * The brand is an optional property that never exists at run time: literals and sums pass without a cast, while a
 * `Base` is refused where a `Quote` is due.
 */
declare const unit: unique symbol

type Unit<Name extends string> = bigint & { readonly [unit]?: Name }

/** An amount of the quote currency, fp9: `1_000_000_000n` = 1 USD. */
export type Quote = Unit<'quote'>
/** A size in units of the traded asset, fp9: `1_000_000_000n` = 1 unit. */
export type Base = Unit<'base'>
/** Quote per base, fp9: `1_000_000_000n` = 1 USD for a unit. */
export type Price = Unit<'price'>
/** A dimensionless fraction, fp9: `1_000_000n` = 0.1%. Fee, funding and maintenance rates, spreads, loss limits, roe. */
export type Rate = Unit<'rate'>
/** A dimensionless multiple, fp9: `10_000_000_000n` = 10x. Of the margin, or of the spread (B2). */
export type Leverage = Unit<'leverage'>
