/** Patterns of a bar alone, or beside the one before it. */
import { definitions } from './definition.ts'

export const ONE_BAR = definitions([
  {
    name: 'doji',
    says: 'neither',
    bars: 1,
    words: 'it closes where it opened, or as good as that',
    is: ([bar]) => bar.isDoji,
  },
  {
    name: 'longLeggedDoji',
    says: 'neither',
    bars: 1,
    words: 'a doji with a long shadow, on one side or both',
    is: ([bar]) => bar.isDoji && (bar.hasLongUpper || bar.hasLongLower),
  },
  {
    name: 'rickshawMan',
    says: 'neither',
    bars: 1,
    words: 'a doji with long shadows on both sides, its body near the middle of the range',
    is: ([bar]) => {
      const middle = 50n * (bar.high + bar.low)
      const isMiddle =
        100n * bar.bottom <= middle + bar.usual.near && 100n * bar.top >= middle - bar.usual.near
      return bar.isDoji && bar.hasLongUpper && bar.hasLongLower && isMiddle
    },
  },
  {
    name: 'dragonflyDoji',
    mirror: 'gravestoneDoji',
    says: 'up',
    bars: 1,
    words: 'a doji at its high, with a shadow below',
    is: ([bar]) => bar.isDoji && bar.hasNoUpper && bar.hasLower,
  },
  {
    name: 'takuri',
    says: 'up',
    bars: 1,
    words: 'a doji at its high, with a shadow below of more than twice its body',
    is: ([bar]) => bar.isDoji && bar.hasNoUpper && bar.lower > 2n * bar.body,
  },
  {
    name: 'spinningTop',
    says: 'up',
    bars: 1,
    words: 'a short white body, both shadows longer',
    is: ([bar]) => bar.isWhite && bar.isShort && bar.hasLongUpper && bar.hasLongLower,
  },
  {
    name: 'highWave',
    says: 'up',
    bars: 1,
    words: 'a short white body, both shadows more than twice as long',
    is: ([bar]) => bar.isWhite && bar.isShort && bar.upper > 2n * bar.body && bar.lower > 2n * bar.body,
  },
  {
    name: 'marubozu',
    says: 'up',
    bars: 1,
    words: 'a long white body, hardly a shadow',
    is: ([bar]) => bar.isWhite && bar.isMarubozu,
  },
  {
    name: 'closingMarubozu',
    says: 'up',
    bars: 1,
    words: 'a long white body, hardly a shadow above',
    is: ([bar]) => bar.isWhite && bar.isLong && bar.hasNoUpper,
  },
  {
    name: 'beltHold',
    says: 'up',
    bars: 1,
    words: 'a long white body, hardly a shadow below',
    is: ([bar]) => bar.isWhite && bar.isLong && bar.hasNoLower,
  },
  {
    name: 'longLine',
    says: 'up',
    bars: 1,
    words: 'a long white body, both shadows short',
    is: ([bar]) => bar.isWhite && bar.isLong && bar.hasShortUpper && bar.hasShortLower,
  },
  {
    name: 'shortLine',
    says: 'up',
    bars: 1,
    words: 'a short white body, both shadows short',
    is: ([bar]) => bar.isWhite && bar.isShort && bar.hasShortUpper && bar.hasShortLower,
  },
  {
    name: 'hammer',
    says: 'up',
    bars: 2,
    words: 'a short body, a long shadow below, hardly one above, at the low of the bar before or under it',
    is: ([bar, before]) =>
      bar.isShort && bar.hasLongLower && bar.hasNoUpper && before.isWithin('near', bar.bottom, before.low),
  },
  {
    name: 'hangingMan',
    says: 'down',
    bars: 2,
    words: 'a short body, a long shadow below, hardly one above, at the high of the bar before or over it',
    is: ([bar, before]) =>
      bar.isShort && bar.hasLongLower && bar.hasNoUpper && before.isWithin('near', before.high, bar.bottom),
  },
  {
    name: 'invertedHammer',
    says: 'up',
    bars: 2,
    words: 'a short body under the body before, a long shadow above, hardly one below',
    is: ([bar, before]) => bar.isShort && bar.hasLongUpper && bar.hasNoLower && bar.isBodyBelow(before),
  },
  {
    name: 'shootingStar',
    says: 'down',
    bars: 2,
    words: 'a short body over the body before, a long shadow above, hardly one below',
    is: ([bar, before]) => bar.isShort && bar.hasLongUpper && bar.hasNoLower && bar.isBodyAbove(before),
  },
])
