/** The equity line of a run in a terminal. */
import { plot } from 'asciichart'
import type { EquityCurve } from '../statistics/equityCurve.ts'
import { count } from './presentation.ts'

const WIDTH = 66
const HEIGHT = 8

/** Lines of at most 80 characters; none for a curve of less than two points. */
export function equityChart(curve: EquityCurve): string[] {
  if (curve.length < 2) return []
  const values = Array.from({ length: Math.min(WIDTH, curve.length) }, (_, column, of = WIDTH) => {
    const columns = Math.min(of, curve.length)
    const point = Math.round((column * (curve.length - 1)) / (columns - 1))
    return Number(curve.equity[point]) / 1e9
  })
  const flat = values.every((value) => value === values[0])
  const label = (value: number) => count(Math.round(value)).padStart(10)
  return plot(values, { height: flat ? 1 : HEIGHT, format: label })
    .split('\n')
    .map((line) => line.trimEnd())
}
