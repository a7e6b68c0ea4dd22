// The indicators of this package as they are usually made. The texts are run, as those of `trading-signals` are.

import type { ListedIndicator } from './packageIndicators.ts'

export const OWN_INDICATORS: Readonly<Record<string, readonly ListedIndicator[]>> = {
  'More averages': [
    ['weights 1, 4, 9, …', 'indicators.squareAverage(14)'],
    ['weights 1, 8, 27, …', 'indicators.cubicAverage(14)'],
    ['weights 1, √2, √3, …', 'indicators.rootAverage(14)'],
    ['weights to a power of one’s own', 'indicators.powerAverage(14, 0.382)'],
    ['weights of half a sine wave', 'indicators.sineAverage(14)'],
    ['weights 1, 2, …, 2, 1', 'indicators.symmetricAverage(5)'],
    ['weights of Fibonacci', 'indicators.fibonacciAverage(5)'],
    ['weights of Pascal’s triangle', 'indicators.pascalAverage(5)'],
    ['weights that go below zero (end point)', 'indicators.endPointAverage(11, 4)'],
    ['half of now and half of so many bars ago (JSA)', 'indicators.jsaAverage(30)'],
    ['Ehlers’ distance coefficients', 'indicators.distanceAverage(15)'],
    ['exponential, by its share (MWDX)', 'indicators.exponentialAverage(0.2)'],
    ['Holt and Winters', 'indicators.holtWintersAverage(0.2, 0.1, 0.1)'],
    ['Jurik’s, as approximated in public', 'indicators.jurikAverage(7, 50, 2)'],
    ['adaptive by how straight closes went (MAAQ)', 'indicators.adaptiveAverage(11, 2, 30)'],
    ['of variable length (VLMA)', 'indicators.variableLengthAverage(5, 50)'],
    ['Ehlers’ predicting average', 'indicators.predictiveAverage()'],
  ],
  'Filters of waves': [
    ['high pass', 'indicators.highPass(48)'],
    ['high pass of two poles', 'indicators.highPassOfTwo(48)'],
    ['decycler', 'indicators.decycler(125)'],
    ['decycler oscillator, percent', 'indicators.decyclerOscillator(125)'],
    ['super smoother of three poles', 'indicators.superSmootherOfThree(14)'],
    ['roofing filter', 'indicators.roofing(48, 10)'],
    ['Gaussian filter', 'indicators.gaussian(14, 4)'],
    ['band pass', 'indicators.bandPass(20, 0.3)'],
    ['reflex', 'indicators.reflex(20)'],
    ['trendflex', 'indicators.trendflex(20)'],
    ['instantaneous trend', 'indicators.instantaneousTrend(0.07)'],
    ['Voss predictor', 'indicators.voss(20, 3, 0.25)'],
    ['correlation with a cycle', 'indicators.correlationCycle(20)'],
    ['MESA sine wave', 'indicators.sineWave(5)'],
  ],
}
