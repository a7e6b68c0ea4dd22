/** Patterns of three bars. */
import { definitions, type LastShapes } from './definition.ts'
import type { CandleShape } from './shape.ts'

/** It closes in the body of another, by so many tenths of it from its close. */
function closesInto(bar: CandleShape, other: CandleShape, tenths: bigint): boolean {
  const depth = other.isBlack ? bar.close - other.close : other.close - bar.close
  return 10n * depth > tenths * other.body
}

function areWhite([bar, before, first]: LastShapes): boolean {
  return bar.isWhite && before.isWhite && first.isWhite
}

function areBlack([bar, before, first]: LastShapes): boolean {
  return bar.isBlack && before.isBlack && first.isBlack
}

function closeHigher([bar, before, first]: LastShapes): boolean {
  return bar.close > before.close && before.close > first.close
}

/** It opens in the body before it, or near above. */
function opensOn(bar: CandleShape, before: CandleShape): boolean {
  return bar.open > before.open && before.isWithin('near', bar.open, before.close)
}

/** It is as long as the one before it, less what is far. */
function keepsUp(bar: CandleShape, before: CandleShape): boolean {
  return 100n * (before.body - bar.body) < before.usual.far
}

function isWeaker([bar, before, first]: LastShapes): boolean {
  const isFarShorter = !keepsUp(before, first) && 100n * (bar.body - before.body) < before.usual.near
  const areShorter = bar.body < before.body && before.body < first.body
  const isShaded = !bar.hasShortUpper || !before.hasShortUpper
  return (
    isFarShorter ||
    !keepsUp(bar, before) ||
    (areShorter && isShaded) ||
    (bar.body < before.body && bar.hasLongUpper)
  )
}

/** Two bars of one colour beside each other, as long as each other and with the same open. */
function areAlike(bar: CandleShape, before: CandleShape): boolean {
  const apart = bar.body > before.body ? bar.body - before.body : before.body - bar.body
  return 100n * apart <= before.usual.near && before.areEqual(bar.open, before.open)
}

export const THREE_BARS = definitions([
  {
    name: 'morningStar',
    mirror: 'eveningStar',
    says: 'up',
    bars: 3,
    words:
      'a long black bar, a short body under it, a white bar that is not short and closes more than three tenths into the first',
    is: ([bar, star, first]) =>
      first.isBlack &&
      first.isLong &&
      star.isShort &&
      star.isBodyBelow(first) &&
      bar.isWhite &&
      !bar.isShort &&
      closesInto(bar, first, 3n),
  },
  {
    name: 'morningDojiStar',
    mirror: 'eveningDojiStar',
    says: 'up',
    bars: 3,
    words: 'a morning star whose second bar is a doji',
    is: ([bar, star, first]) =>
      first.isBlack &&
      first.isLong &&
      star.isDoji &&
      star.isBodyBelow(first) &&
      bar.isWhite &&
      !bar.isShort &&
      closesInto(bar, first, 3n),
  },
  {
    name: 'abandonedBaby',
    says: 'up',
    bars: 3,
    words: 'a morning doji star whose second bar is under both others, shadows and all',
    is: ([bar, star, first]) =>
      first.isBlack &&
      first.isLong &&
      star.isDoji &&
      star.high < first.low &&
      bar.low > star.high &&
      bar.isWhite &&
      !bar.isShort &&
      closesInto(bar, first, 3n),
  },
  {
    name: 'tristar',
    says: 'up',
    bars: 3,
    words: 'three doji, the second body under the first, the third above the bottom of the second',
    is: ([bar, star, first]) => {
      const areDoji = [bar, star, first].every(({ body }) => 100n * body <= first.usual.tenth)
      return areDoji && star.isBodyBelow(first) && bar.bottom > star.bottom
    },
  },
  {
    name: 'threeInside',
    says: 'up',
    bars: 3,
    words: 'a long black body, a short one inside it, a white bar that closes above the open of the first',
    is: ([bar, inside, first]) =>
      first.isBlack &&
      first.isLong &&
      inside.isShort &&
      inside.isBodyInside(first) &&
      bar.isWhite &&
      bar.close > first.open,
  },
  {
    name: 'threeOutside',
    says: 'up',
    bars: 3,
    words: 'a black body, a white one around it, a bar that closes higher',
    is: ([bar, around, first]) =>
      first.isBlack &&
      around.isWhite &&
      around.close > first.open &&
      around.open < first.close &&
      bar.close > around.close,
  },
  {
    name: 'threeWhiteSoldiers',
    says: 'up',
    bars: 3,
    words:
      'three white bars with hardly a shadow above, each opening in the body before it or near, closing higher, and not far shorter',
    is: (last) => {
      const [bar, before, first] = last
      return (
        areWhite(last) &&
        closeHigher(last) &&
        last.slice(0, 3).every(({ hasNoUpper }) => hasNoUpper) &&
        opensOn(before, first) &&
        opensOn(bar, before) &&
        keepsUp(before, first) &&
        keepsUp(bar, before) &&
        bar.isLong
      )
    },
  },
  {
    name: 'advanceBlock',
    says: 'down',
    bars: 3,
    words:
      'three white bars closing higher, each opening in the body before it or near, the first long with a short shadow above, and the others weaker: shorter, or with longer shadows above',
    is: (last) => {
      const [bar, before, first] = last
      return (
        areWhite(last) &&
        closeHigher(last) &&
        opensOn(before, first) &&
        opensOn(bar, before) &&
        first.isLong &&
        first.hasShortUpper &&
        isWeaker(last)
      )
    },
  },
  {
    name: 'stalledPattern',
    says: 'down',
    bars: 3,
    words:
      'two long white bars, the second with hardly a shadow above, and a short white one at the shoulder of it',
    is: (last) => {
      const [bar, before, first] = last
      return (
        areWhite(last) &&
        closeHigher(last) &&
        first.isLong &&
        before.isLong &&
        before.hasNoUpper &&
        opensOn(before, first) &&
        bar.isShort &&
        before.isWithin('near', before.close - bar.body, bar.open)
      )
    },
  },
  {
    name: 'identicalThreeCrows',
    says: 'down',
    bars: 3,
    words: 'three black bars closing lower with hardly a shadow below, each opening at the close before it',
    is: (last) => {
      const [bar, before, first] = last
      return (
        areBlack(last) &&
        last.slice(0, 3).every(({ hasNoLower }) => hasNoLower) &&
        first.close > before.close &&
        before.close > bar.close &&
        first.areEqual(before.open, first.close) &&
        before.areEqual(bar.open, before.close)
      )
    },
  },
  {
    name: 'twoCrows',
    says: 'down',
    bars: 3,
    words:
      'a long white bar, a black body over it, a black bar that opens in that body and closes in the first',
    is: ([bar, crow, first]) =>
      first.isWhite &&
      first.isLong &&
      crow.isBlack &&
      crow.isBodyAbove(first) &&
      bar.isBlack &&
      bar.open < crow.open &&
      bar.open > crow.close &&
      bar.close > first.open &&
      bar.close < first.close,
  },
  {
    name: 'upsideGapTwoCrows',
    says: 'down',
    bars: 3,
    words:
      'a long white bar, a short black body over it, a black body around that which still closes over the first',
    is: ([bar, crow, first]) =>
      first.isWhite &&
      first.isLong &&
      crow.isBlack &&
      crow.isShort &&
      crow.isBodyAbove(first) &&
      bar.isBlack &&
      bar.open > crow.open &&
      bar.close < crow.close &&
      bar.close > first.close,
  },
  {
    name: 'threeStarsInTheSouth',
    says: 'up',
    bars: 3,
    words:
      'a long black bar with a long shadow below, a shorter one like it that opens above its close and keeps above its low, a short black one without shadows inside that',
    is: (last) => {
      const [bar, before, first] = last
      return (
        areBlack(last) &&
        first.isLong &&
        first.hasLongLower &&
        before.body < first.body &&
        before.open > first.close &&
        before.open <= first.high &&
        before.low < first.close &&
        before.low >= first.low &&
        before.hasLower &&
        bar.isShort &&
        bar.hasNoLower &&
        bar.hasNoUpper &&
        bar.isInside(before)
      )
    },
  },
  {
    name: 'uniqueThreeRiver',
    says: 'up',
    bars: 3,
    words:
      'a long black bar, a black one inside its body with a lower low, a short white one that opens above that low',
    is: ([bar, before, first]) =>
      first.isBlack &&
      first.isLong &&
      before.isBlack &&
      before.close > first.close &&
      before.open <= first.open &&
      before.low < first.low &&
      bar.isWhite &&
      bar.isShort &&
      bar.open > before.low,
  },
  {
    name: 'stickSandwich',
    says: 'up',
    bars: 3,
    words: 'two black bars with the same close, and between them a white one above it',
    is: ([bar, between, first]) =>
      first.isBlack &&
      between.isWhite &&
      bar.isBlack &&
      between.low > first.close &&
      first.areEqual(bar.close, first.close),
  },
  {
    name: 'tasukiGap',
    says: 'up',
    bars: 3,
    words:
      'a white body over the one before it, and a black bar about as long that opens in it and closes in the gap',
    is: ([bar, over, first]) => {
      const apart = bar.body > over.body ? bar.body - over.body : over.body - bar.body
      return (
        over.isWhite &&
        over.isBodyAbove(first) &&
        bar.isBlack &&
        bar.open < over.close &&
        bar.open > over.open &&
        bar.close < over.open &&
        bar.close > first.top &&
        100n * apart < over.usual.near
      )
    },
  },
  {
    name: 'upsideGapTwoWhite',
    says: 'up',
    bars: 3,
    words: 'two white bodies over the first, as long as each other and with the same open',
    is: ([bar, over, first]) =>
      over.isWhite && bar.isWhite && over.isBodyAbove(first) && bar.isBodyAbove(first) && areAlike(bar, over),
  },
  {
    name: 'downsideGapTwoWhite',
    says: 'down',
    bars: 3,
    words: 'two white bodies under the first, as long as each other and with the same open',
    is: ([bar, under, first]) =>
      under.isWhite &&
      bar.isWhite &&
      under.isBodyBelow(first) &&
      bar.isBodyBelow(first) &&
      areAlike(bar, under),
  },
  {
    name: 'gapThreeMethods',
    says: 'up',
    bars: 3,
    words:
      'two white bodies with a gap between them, and a black bar that opens in the second and closes in the first',
    is: ([bar, over, first]) =>
      first.isWhite &&
      over.isWhite &&
      over.isBodyAbove(first) &&
      bar.isBlack &&
      bar.open < over.close &&
      bar.open > over.open &&
      bar.close < first.close &&
      bar.close > first.open,
  },
])
