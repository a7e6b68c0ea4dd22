/** Lists of rows: each row says which is before it in a list and which after it. */

/** Where rows have their links of a list: in two integers, from `links` on. */
export interface Linked {
  newer(row: number, links: number): number
  older(row: number, links: number): number
  link(row: number, links: number, older: number, newer: number): void
}

/** Its ends; −1 where it is empty. */
export interface Chain {
  readonly links: number
  oldest: number
  newest: number
  size: number
}

const NONE = -1

/** Such a chain of an account or a market. */
export class RowList implements Chain {
  readonly links: number
  oldest = NONE
  newest = NONE
  size = 0
  /** Its number among the lists of its kind; −1 while it has none. */
  number = NONE

  constructor(links: number) {
    this.links = links
  }
}

/** `row` is newer than all of it. */
export function append(rows: Linked, chain: Chain, row: number): void {
  const { links, newest } = chain
  rows.link(row, links, newest, NONE)
  if (newest === NONE) chain.oldest = row
  else rows.link(newest, links, rows.older(newest, links), row)
  chain.newest = row
  chain.size += 1
}

export function cut(rows: Linked, chain: Chain, row: number): void {
  const { links } = chain
  const [older, newer] = [rows.older(row, links), rows.newer(row, links)]
  if (older === NONE) chain.oldest = newer
  else rows.link(older, links, rows.older(older, links), newer)
  if (newer === NONE) chain.newest = older
  else rows.link(newer, links, older, rows.newer(newer, links))
  chain.size -= 1
}
