/** Which page of a list is asked for (I10). */
import type { Paging } from '../projections/history.ts'
import type { PageQuery } from '../resources/fields.ts'

const DEFAULT_LIMIT = 20

export function pagingOf({ limit, offset }: PageQuery): Paging {
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    offset: offset === undefined ? 0 : Number(offset),
  }
}
