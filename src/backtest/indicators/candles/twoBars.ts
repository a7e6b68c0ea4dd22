/** Patterns of two bars. */
import { definitions } from './definition.ts'
import type { CandleShape } from './shape.ts'

/** Two bodies without shadows and a gap between the bars. */
function isKick(bar: CandleShape, before: CandleShape): boolean {
  return bar.isWhite && before.isBlack && bar.isMarubozu && before.isMarubozu && bar.low > before.high
}

/** A white bar that opens under the low of a long black one. */
function opensUnder(bar: CandleShape, before: CandleShape): boolean {
  return before.isBlack && before.isLong && bar.isWhite && bar.open < before.low
}

export const TWO_BARS = definitions([
  {
    name: 'engulfing',
    says: 'up',
    bars: 2,
    words: 'a white body around a black one, which it may touch at one end',
    is: ([bar, before]) =>
      bar.isWhite &&
      before.isBlack &&
      bar.close >= before.open &&
      bar.open <= before.close &&
      bar.body > before.body,
  },
  {
    name: 'harami',
    says: 'up',
    bars: 2,
    words: 'a short body inside a long black one, which it may touch at its ends',
    is: ([bar, before]) =>
      before.isBlack && before.isLong && bar.isShort && bar.top <= before.top && bar.bottom >= before.bottom,
  },
  {
    name: 'haramiCross',
    says: 'up',
    bars: 2,
    words: 'a doji inside a long black body, which it may touch at its ends',
    is: ([bar, before]) =>
      before.isBlack && before.isLong && bar.isDoji && bar.top <= before.top && bar.bottom >= before.bottom,
  },
  {
    name: 'dojiStar',
    says: 'up',
    bars: 2,
    words: 'a doji under a long black body',
    is: ([bar, before]) => before.isBlack && before.isLong && bar.isDoji && bar.isBodyBelow(before),
  },
  {
    name: 'piercingLine',
    says: 'up',
    bars: 2,
    words:
      'after a long black bar a long white one opens under its low and closes above the middle of its body, inside it',
    is: ([bar, before]) =>
      opensUnder(bar, before) &&
      bar.isLong &&
      bar.close < before.open &&
      2n * (bar.close - before.close) > before.body,
  },
  {
    name: 'darkCloudCover',
    says: 'down',
    bars: 2,
    words:
      'after a long white bar a black one opens over its high and closes below the middle of its body, inside it',
    is: ([bar, before]) =>
      before.isWhite &&
      before.isLong &&
      bar.isBlack &&
      bar.open > before.high &&
      bar.close > before.open &&
      2n * (before.close - bar.close) > before.body,
  },
  {
    name: 'onNeck',
    says: 'down',
    bars: 2,
    words: 'after a long black bar a white one opens under its low and closes at its low',
    is: ([bar, before]) => opensUnder(bar, before) && before.areEqual(bar.close, before.low),
  },
  {
    name: 'inNeck',
    says: 'down',
    bars: 2,
    words: 'after a long black bar a white one opens under its low and closes at its close or a little above',
    is: ([bar, before]) =>
      opensUnder(bar, before) &&
      bar.close >= before.close &&
      before.isWithin('equal', bar.close, before.close),
  },
  {
    name: 'thrusting',
    says: 'down',
    bars: 2,
    words:
      'after a long black bar a white one opens under its low and closes inside its body, not above the middle',
    is: ([bar, before]) =>
      opensUnder(bar, before) &&
      !before.isWithin('equal', bar.close, before.close) &&
      2n * (bar.close - before.close) <= before.body,
  },
  {
    name: 'counterattack',
    says: 'up',
    bars: 2,
    words: 'a long black bar and a long white one with the same close',
    is: ([bar, before]) =>
      before.isBlack &&
      bar.isWhite &&
      before.isLong &&
      bar.isLong &&
      before.areEqual(bar.close, before.close),
  },
  {
    name: 'separatingLines',
    says: 'up',
    bars: 2,
    words: 'a black bar and a long white one with the same open, hardly a shadow under it',
    is: ([bar, before]) =>
      before.isBlack && bar.isWhite && bar.isLong && bar.hasNoLower && before.areEqual(bar.open, before.open),
  },
  {
    name: 'homingPigeon',
    says: 'up',
    bars: 2,
    words: 'a short black body inside a long black one',
    is: ([bar, before]) =>
      before.isBlack && bar.isBlack && before.isLong && bar.isShort && bar.isBodyInside(before),
  },
  {
    name: 'matchingLow',
    says: 'up',
    bars: 2,
    words: 'two black bars with the same close',
    is: ([bar, before]) => before.isBlack && bar.isBlack && before.areEqual(bar.close, before.close),
  },
  {
    name: 'kicking',
    says: 'up',
    bars: 2,
    words: 'a long black body and above it a long white one, neither with shadows, and a gap between them',
    is: ([bar, before]) => isKick(bar, before),
  },
  {
    name: 'kickingByLength',
    says: 'up',
    bars: 2,
    words: 'a kicking, either way, whose longer body is the white one',
    is: ([bar, before]) =>
      (isKick(bar, before) && bar.body > before.body) ||
      (isKick(bar.turned(), before.turned()) && before.body >= bar.body),
  },
])
