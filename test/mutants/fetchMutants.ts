// Mistakes in fetching prices: halves of two files, pages, and other rows than there are.

import { type Mutant, mutant } from './mutant.ts'

const DISTURBED = 'unit/backtest/archives/disturbed.test.ts'
const CCXT = 'unit/backtest/archives/ccxt.test.ts'
const TRADES = 'unit/backtest/archives/fetchTrades.test.ts'

export const FETCH_MUTANTS: readonly Mutant[] = [
  mutant(
    'what was begun is gone on with although nobody knows the file of it',
    'backtest/archives/begunFile.ts',
    ['if (begun > 0 && (isGuarded || mark !== null)) {', 'if (begun > 0) {'],
    DISTURBED,
  ),
  mutant(
    'the rest of another file is taken for that of the one that was begun',
    'backtest/archives/begunFile.ts',
    ['isGuarded || (isOf(response, mark) && response.status === 206)', 'response.status === 206'],
    DISTURBED,
  ),
  mutant(
    'a weak ETag is taken for one of bytes',
    'backtest/archives/begunFile.ts',
    ["tag === null || tag.startsWith('W/') ?", 'tag === null ?'],
    DISTURBED,
  ),
  mutant(
    'a page that says that there is no file becomes the file',
    'backtest/archives/fetchFile.ts',
    ['if (/^[<{]/.test(first)) {', "if (first === '<') {"],
    DISTURBED,
  ),
  mutant(
    'an archive that asks for an hour is waited for',
    'backtest/archives/archiveRequest.ts',
    [' || (asksForMs !== null && asksForMs > LONGEST_WAIT_MS)', ''],
    DISTURBED,
  ),
  mutant(
    'what a machine that went out left behind is taken for rows',
    'backtest/archives/fetchCcxt.ts',
    ['cells.length !== columns || !cells.every((cell) => FIGURE.test(cell))', 'cells.length !== columns'],
    CCXT,
  ),
  mutant(
    'rows that an exchange gives twice are written twice',
    'backtest/archives/fetchCcxt.ts',
    [
      'return rows.filter(([time], index) => index === 0 || time !== (rows[index - 1] as Row)[0])',
      'return rows',
    ],
    CCXT,
  ),
  mutant(
    'a page of trades is taken that does not follow on what is there',
    'backtest/archives/tradeWalk.ts',
    ['if (!this.#followsOn(page)) continue', 'if (page.length === 0) continue'],
    TRADES,
  ),
  mutant(
    'a page that is full at one instant is taken for all that there is',
    'backtest/archives/tradeWalk.ts',
    ['if (this.#isFull(page)) break\n      return', 'return'],
    TRADES,
  ),
  mutant(
    'the first trades after a while are taken from one that counts back',
    'backtest/archives/tradeWalk.ts',
    ['own.length === 0 || own.some((trade) => trade.time < time)', 'own.length === 0'],
    TRADES,
  ),
  mutant(
    'the last instant of a begun day is written twice',
    'backtest/archives/tradeRows.ts',
    [
      'await truncate(part, lastAt)\n  return { rows: rows - last.length, last }',
      'await truncate(part, whole)\n  return { rows, last }',
    ],
    TRADES,
  ),
]
