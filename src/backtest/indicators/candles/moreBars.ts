/** Patterns of four and five bars, and the hikkake, which more may confirm. */
import { definitions, type LastShapes } from './definition.ts'
import type { CandleShape } from './shape.ts'

/** How many bars may pass until a hikkake is confirmed. */
const CONFIRMED_WITHIN = 3

function areAll(shapes: readonly CandleShape[], is: (shape: CandleShape) => boolean): boolean {
  return shapes.every(is)
}

const isBlack = (shape: CandleShape) => shape.isBlack

/** It opens in the body before it, or near to it. */
function opensAround(bar: CandleShape, before: CandleShape): boolean {
  return before.isWithin('near', before.bottom, bar.open) && before.isWithin('near', bar.open, before.top)
}

type Test = (shapes: readonly CandleShape[]) => boolean

const isHikkake: Test = ([bar, inside, first]) =>
  bar !== undefined &&
  inside !== undefined &&
  first !== undefined &&
  inside.isInside(first) &&
  bar.high < inside.high &&
  bar.low < inside.low

const isModifiedHikkake: Test = ([bar, inside, middle, first]) =>
  bar !== undefined &&
  inside !== undefined &&
  middle !== undefined &&
  first !== undefined &&
  middle.isInside(first) &&
  inside.isInside(middle) &&
  bar.high < inside.high &&
  bar.low < inside.low &&
  middle.isWithin('near', middle.close, middle.low)

/** One of the last bars made it, this one is the first to close above the high before that, and none has made another since. */
function isConfirmed(last: readonly CandleShape[], is: Test): boolean {
  const isEither = (shapes: readonly CandleShape[]) => is(shapes) || is(shapes.map((shape) => shape.turned()))
  const made = last.findIndex((_, ago) => ago <= CONFIRMED_WITHIN && isEither(last.slice(ago)))
  const high = last[made + 1]?.high
  if (made < 1 || high === undefined || !is(last.slice(made))) return false
  return last.slice(0, made).every(({ close }, ago) => close > high === (ago === 0))
}

export const MORE_BARS = definitions([
  {
    name: 'threeBlackCrows',
    says: 'down',
    bars: 4,
    words:
      'after a white bar three black ones with hardly a shadow below, each opening in the body before it and closing lower, the first of them under the high of the white one',
    is: ([bar, before, first, white]) =>
      white.isWhite &&
      areAll([bar, before, first], (crow) => crow.isBlack && crow.hasNoLower) &&
      before.open < first.open &&
      before.open > first.close &&
      bar.open < before.open &&
      bar.open > before.close &&
      white.high > first.close &&
      first.close > before.close &&
      before.close > bar.close,
  },
  {
    name: 'threeLineStrike',
    says: 'up',
    bars: 4,
    words:
      'three white bars closing higher, each opening in the body before it or near, and a black one that opens above and closes under all of them',
    is: ([bar, third, second, first]) =>
      areAll([first, second, third], ({ isWhite }) => isWhite) &&
      opensAround(second, first) &&
      opensAround(third, second) &&
      third.close > second.close &&
      second.close > first.close &&
      bar.isBlack &&
      bar.open > third.close &&
      bar.close < first.open,
  },
  {
    name: 'concealingBabySwallow',
    says: 'up',
    bars: 4,
    words:
      'four black bars: two without shadows, one under them whose shadow above reaches into the second, one around it',
    is: ([bar, baby, second, first]) =>
      areAll([bar, baby, second, first], isBlack) &&
      areAll([second, first], ({ hasNoUpper, hasNoLower }) => hasNoUpper && hasNoLower) &&
      baby.isBodyBelow(second) &&
      baby.hasUpper &&
      baby.high > second.close &&
      bar.high > baby.high &&
      bar.low < baby.low,
  },
  {
    name: 'breakaway',
    says: 'up',
    bars: 5,
    words:
      'a long black bar, a black body under it, two bars that go lower, the second of them black, and a white one that closes in the first gap',
    is: ([bar, fourth, third, second, first]) =>
      first.isBlack &&
      first.isLong &&
      second.isBlack &&
      second.isBodyBelow(first) &&
      third.high < second.high &&
      third.low < second.low &&
      fourth.isBlack &&
      fourth.high < third.high &&
      fourth.low < third.low &&
      bar.isWhite &&
      bar.close > second.open &&
      bar.close < first.close,
  },
  {
    name: 'ladderBottom',
    says: 'up',
    bars: 5,
    words:
      'three black bars opening and closing lower, a black one with a shadow above, and a white one that opens above its body and closes over its high',
    is: ([bar, fourth, third, second, first]) =>
      areAll([fourth, third, second, first], isBlack) &&
      first.open > second.open &&
      second.open > third.open &&
      first.close > second.close &&
      second.close > third.close &&
      fourth.hasUpper &&
      bar.isWhite &&
      bar.open > fourth.open &&
      bar.close > fourth.high,
  },
  {
    name: 'matHold',
    says: 'up',
    bars: 5,
    words:
      'a long white bar, a short black body over it, two short ones that fall back into its upper half, and a white one that closes over the highs of all three',
    is: ([bar, fourth, third, second, first]) =>
      first.isWhite &&
      first.isLong &&
      areAll([second, third, fourth], ({ isShort }) => isShort) &&
      second.isBlack &&
      second.isBodyAbove(first) &&
      areAll(
        [third, fourth],
        ({ bottom }) => bottom < first.close && 2n * (first.close - bottom) < first.body,
      ) &&
      third.top < second.open &&
      fourth.top < third.top &&
      bar.isWhite &&
      bar.open > fourth.close &&
      areAll([second, third, fourth], ({ high }) => bar.close > high),
  },
  {
    name: 'risingThreeMethods',
    mirror: 'fallingThreeMethods',
    says: 'up',
    bars: 5,
    words:
      'a long white bar, three short black ones closing lower within its range, and a long white one that closes above the first',
    is: ([bar, fourth, third, second, first]) =>
      first.isWhite &&
      first.isLong &&
      areAll(
        [second, third, fourth],
        (short) => short.isBlack && short.isShort && short.bottom < first.high && short.top > first.low,
      ) &&
      third.close < second.close &&
      fourth.close < third.close &&
      bar.isWhite &&
      bar.isLong &&
      bar.open > fourth.close &&
      bar.close > first.close,
  },
  {
    name: 'hikkake',
    says: 'up',
    bars: 3,
    words: 'a bar inside the one before it, and one with a lower high and a lower low',
    is: isHikkake,
  },
  {
    name: 'hikkakeConfirmed',
    says: 'up',
    bars: 6,
    words:
      'the first close above the high of the inside bar, within three bars of a hikkake that no other followed',
    is: (last: LastShapes) => isConfirmed(last, isHikkake),
  },
  {
    name: 'modifiedHikkake',
    says: 'up',
    bars: 4,
    words:
      'a bar inside the one before it that closes near its low, one inside that, and one with a lower high and a lower low',
    is: isModifiedHikkake,
  },
  {
    name: 'modifiedHikkakeConfirmed',
    says: 'up',
    bars: 7,
    words:
      'the first close above the high of the inside bar, within three bars of a modified hikkake that no other followed',
    is: (last: LastShapes) => isConfirmed(last, isModifiedHikkake),
  },
])
