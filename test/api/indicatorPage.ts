// The indicators that a strategy can have in one line, docs/indicators.md: each as it is made, what it is computed of and its lines, by running it.

import type { Candle } from '../../src/backtest/index.ts'
import { CANDLE_PATTERN_NAMES } from '../../src/backtest/index.ts'
import { CANDLE_PATTERNS } from '../../src/backtest/indicators/candles/candlePattern.ts'
import { Random } from '../../src/backtest/simulated/random.ts'
import { TA_LIB } from './candlePatternSources.ts'
import { JESSE_INDICATORS } from './jesseIndicators.ts'
import { OF_TWO_MARKETS, OWN_INDICATORS } from './ownIndicators.ts'
import { type ListedIndicator, madeBy, PACKAGE_INDICATORS } from './packageIndicators.ts'
import { tableOf } from './referenceText.ts'
import type { Page } from './report.ts'

const LISTED = { ...PACKAGE_INDICATORS, ...OWN_INDICATORS }

const COUNT = Object.values(LISTED).flat().length

const ABOUT = `A strategy has each of these ${COUNT}, two [of two markets](#of-two-markets) and ${CANDLE_PATTERN_NAMES.length} [patterns of candles](#patterns-of-candles) in one line, up to date whenever it is told of a bar, in a backtest and live alike, and drawn with its fills:

\`\`\`ts
import { ADX, BollingerBands, getZScore } from 'trading-signals'
import { candlePattern, indicators, overLast, type Strategy } from 'margin-core/backtest'

export default function listed({ asset }: { asset: string }): Strategy {
  return {
    name: \`indicators of \${asset}\`,
    onStart(context) {
      const strength = context.indicator(asset, 'ADX 14', new ADX(14), { of: 'candle' })
      const bands = context.indicator(asset, 'hourly bands', new BollingerBands(20, 2), { interval: '1h' })
      const score = context.indicator(asset, 'score', overLast(20, (closes) => getZScore(closes, closes.at(-1) ?? 0)))
      const star = context.indicator(asset, 'morning star', candlePattern('morningStar'), { of: 'bar', chart: 'apart' })
      const wave = context.indicator(asset, 'waves of up to 48 bars', indicators.highPass(48))
      void [wave.value, strength.value, bands.line('upper').value, score.value, star.value]
    },
  }
}
\`\`\`

What is in the parentheses is what each is usually made with. "Of" is what it is told of a bar: the close, unless \`{ of: 'candle' }\` or another number of it is asked for; "lines" are its values where it has several, by
\`line('upper')\`; "bars" are how many it needs. [Backtesting](backtesting.md#your-strategy) says how they are compared and drawn.

**None sees ahead, and none grows.** An indicator is told one bar after the other and has nothing else; what it said of a bar never changes with those that come after. \`test/unit/backtest/strategy/packageIndicators.test.ts\` holds
that for all of them, and that a bar costs the same however many were before it. Swings and the zig zag are told when they are known, and not where they were.

**Any other is one line too.** \`overLast(count, of)\` is a function of the last so many closes, or bars (\`{ of: 'candle' }\`), of any library or one's own; whatever has an \`add\` goes as it is.

The last tables, from "More averages" on, are of this package (\`indicators\`), each held to its formula computed anew over all of the bars, or to what TA-Lib says; their sources stand in \`src/backtest/indicators\`. The others are those of [trading-signals](https://github.com/bennycode/trading-signals) (8.3.0, September 2026; MIT, nothing beside it, no install script, 0.6 MB). Looked at beside it on 27 November 2026: [indicatorts](https://github.com/cinar/indicatorts) (MIT, about 60, March 2026),
[@ixjb94/indicators](https://github.com/ixjb94/indicators) (MIT, about 110, October 2025) and [talib-web](https://github.com/ancheGT/talib-web) (BSD-3-Clause, TA-Lib as WebAssembly, 0.1.3, October 2025) compute whole lists at once, so each would go through \`overLast\`;
[technicalindicators](https://github.com/anandanand84/technicalindicators) (MIT, patterns of candles among them) has had no release since December 2024; [candlestick](https://github.com/cm45t3r/candlestick) (MIT, 3.0.0) has some
twenty patterns, and talib-web all of TA-Lib's, but in a build that leaves their measures at zero. trading-signals' REI is not listed: it goes over everything there was at each bar, so that a bar costs more the more there were.
\`npm run api -- --accept\` writes this page by running what it lists.`

const TWO_MARKETS = `## Of two markets

Each is made an indicator of one market, and its \`other\` of the other, both of whole bars. Bars are matched by when they ended: it does not matter which market is told first, but where the other comes second the value at a bar is of the bars before it.

\`\`\`ts
import { indicators, type Strategy } from 'margin-core/backtest'

export default function beside({ asset, index }: { asset: string; index: string }): Strategy {
  return {
    name: \`\${asset} beside \${index}\`,
    onStart(context) {
      const beta = indicators.beta(60)
      const told = context.indicator(asset, 'beta', beta, { of: 'bar', chart: 'apart' })
      context.indicator(index, 'index', beta.other, { of: 'bar', chart: 'none' })
      void told.value
    },
  }
}
\`\`\``

const JESSE = `## By jesse's names

What [jesse](https://github.com/jesse-ai/jesse) has under a name of its own (\`jesse/indicators\`, read on 27 November 2026), and what it is here; its \`pattern_recognition\` is [patterns of candles](#patterns-of-candles), its \`ma\` one of many averages by number.
Numbers are those that it is usually made with here, not jesse's. A few are a step from what is named: \`midpoint\` and \`midprice\` are the middle of its lines, \`rocp\`, \`rocr\` and \`rocr100\` the rate of change in other units, \`var\` the square of a deviation,
\`stochf\` the same without slowing, \`macdext\` takes any averages, \`hull_suit\` is one of \`HMA\`, \`exponentialHull\` and \`threefoldHull\` beside itself two bars ago, \`correl\` is of any two prices of a bar; the bands of \`support_resistance_with_breaks\` are broken where a close crosses them. Two differ on purpose: jesse's \`ift_rsi\` squares where the
inverse Fisher transform takes the exponential, and its \`safezonestop\` takes Wilder's sums where Elder takes the mean of the reaches there were.`

const PATTERNS = `## Patterns of candles

\`candlePattern(name)\`, with \`{ of: 'bar' }\`, is 1 at a bar that ends the pattern and speaks for higher prices, −1 for lower ones, and 0 at any other: \`isAbove(0)\` of \`engulfing\` is a white body around a black one, \`isBelow(0)\` a black
one around a white one. Drawn below the fills (\`chart: 'apart'\`) it is a spike at each. Every one of them stands for its mirror image too, with the other sign, under its own name or, where the mirror image has
a name, under that alone; what is its own mirror image is 1.

Whether a body or a shadow is long, short or hardly there is said beside the ten bars before its own, near and equal beside the five before, in the measures of [TA-Lib](https://github.com/TA-Lib/ta-lib) (\`TA_CandleDefaultSettings\`):
a long body is longer than their mean, a doji's is at most a tenth of their mean range, a shadow that is hardly there is shorter than that, a short one shorter than half of what both came to; near is a fifth of the range, far
three fifths, equal a twentieth. Prices are compared in fp9, without rounding. A bar that closes where it opened has no colour (TA-Lib calls it white). \`test/unit/backtest/indicators/candles\` holds each to a drawing of it, upside down, at other
prices, from any begin, and to what TA-Lib says of four thousand bars. What the patterns are worth is another question: [ask it](backtesting.md#whether-its-entries-are-better-than-chance).`

const SAYS = { up: 'higher', down: 'lower', neither: 'neither' } as const
const OPPOSITE = { up: 'lower', down: 'higher', neither: 'neither' } as const

function patternRows(): string[][] {
  return CANDLE_PATTERNS.flatMap(({ name, mirror, says, bars, words }) => {
    const row = [`\`${name}\``, words, SAYS[says], String(bars), `\`${TA_LIB[name]}\``]
    if (mirror === undefined) return [row]
    return [
      row,
      [
        `\`${mirror}\``,
        `the mirror image of \`${name}\``,
        OPPOSITE[says],
        String(bars),
        `\`${TA_LIB[mirror]}\``,
      ],
    ]
  })
}

export function indicatorPage(): Page {
  const text = [
    '# Indicators',
    ABOUT,
    ...Object.entries(LISTED).flatMap(([group, listed]) => [
      `## ${group}`,
      tableOf(['indicator', 'as it is made', 'of', 'lines', 'bars'], listed.map(rowOf)),
    ]),
    TWO_MARKETS,
    tableOf(
      ['indicator', 'as it is made', 'bars of both'],
      OF_TWO_MARKETS.map(([what, made, bars]) => [what, `\`${made}\``, String(bars)]),
    ),
    PATTERNS,
    tableOf(['pattern', 'what it is', 'speaks for', 'bars', 'source'], patternRows()),
    JESSE,
    Object.entries(JESSE_INDICATORS)
      .map(([name, made]) => `\`${name}\` \`${made}\``)
      .join(' · '),
  ]
  return { path: 'docs/indicators.md', text: `${text.join('\n\n')}\n` }
}

function rowOf([what, made, of]: ListedIndicator): string[] {
  const one = madeBy(made)
  const lines = new Set<string>()
  for (const candle of CANDLES) {
    const value = one.add(of === undefined ? candle.close : of === 'candle' ? candle : candle[of])
    if (typeof value !== 'object' || value === null) continue
    for (const [name, number] of Object.entries(value)) if (typeof number === 'number') lines.add(name)
  }
  const named = [...lines].map((name) => `\`${name}\``).join(', ')
  return [what, `\`${made}\``, of ?? 'close', named, String(one.getRequiredInputs?.() ?? '')]
}

const CANDLES: readonly Candle[] = (() => {
  const random = new Random('candles')
  let close = 100
  return Array.from({ length: 400 }, () => {
    const open = close
    close *= 1 + (random.uniform() - 0.5) / 50
    const [low, high] = [Math.min(open, close) * 0.999, Math.max(open, close) * 1.001]
    return { open, high, low, close, volume: 1 + random.uniform() }
  })
})()
