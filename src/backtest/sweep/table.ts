/** A sweep as a table: a line per set, from best to worst. */
import type { OrderedRow } from './order.ts'

/** The columns of one set; empty where a figure has no meaning. */
export function sweepLine({
  parameters,
  figures,
  plateau,
  front,
}: OrderedRow): Record<string, string | number> {
  const { costs, dailyReturns, ...plain } = figures
  const columns = { ...parameters, ...plain, ...costs, plateau, front }
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value ?? '']))
}
