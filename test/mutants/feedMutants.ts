// Mistakes about prices from exchanges: of another number, of another time, of whoever is far from the others.

import type { Edit, Mutant } from './mutant.ts'

const HOSTILE = 'host/hostileFeeds.test.ts'

function mutant(breaks: string, file: string, edit: Edit, test = 'host/feedSources.test.ts'): Mutant {
  return { breaks, file: `src/host/feed/${file}`, edits: [edit], tests: [test] }
}

export const FEED_MUTANTS: readonly Mutant[] = [
  mutant('a price that is a number is read as a float', 'ticker.ts', [
    'const quoted = text.replace(',
    'const quoted = JSON.stringify(JSON.parse(text)).replace(',
  ]),
  mutant('a price of zero is one', 'ticker.ts', [
    "if (price === 0n) throw new RangeError('not a price')\n",
    '',
  ]),
  mutant('a price far from the others counts', 'indexPrice.ts', [
    'return distance * ONE > maxDeviation * middle',
    'return distance < 0n',
  ]),
  mutant('only who is far above counts as far', 'indexPrice.ts', [
    'price > middle ? price - middle : middle - price',
    'price - middle',
  ]),
  mutant('an old price counts', 'indexPrice.ts', ["return ageMs > maxAgeMs ? 'old' : null", 'return null']),
  mutant('the lower of the two in the middle is the median', 'indexPrice.ts', [
    'return (low + high) / 2n',
    'return low',
  ]),
  mutant('too few sources make a price', 'indexPrice.ts', [
    'price: counted.length < minSources ? null : median(counted)',
    'price: counted.length === 0 ? null : median(counted)',
  ]),
  mutant('what nobody has said anew is told anew', 'indexFeed.ts', [
    'if (heard.get(marketId) === counted) return false',
    '',
  ]),
  mutant('the clock of an exchange is taken for ours', 'leastDelay.ts', [
    'return now - at - Math.min(this.#least, this.#leastBefore)',
    'return Math.max(now - at, 0)',
  ]),
  mutant('a delay that lasts is never taken for the clock', 'leastDelay.ts', [
    'this.#least = Number.POSITIVE_INFINITY\n      this.#minute = minute',
    'this.#minute = minute',
  ]),
  mutant('a clock that is ahead is said to be behind', 'tickerSource.ts', [
    'ahead + this.#around.monotonic() - this.#around.wall()',
    'this.#around.wall() - ahead - this.#around.monotonic()',
  ]),
  mutant('heartbeats count as prices', 'tickerSource.ts', ['return isPriced', 'return true']),
  mutant('the pauses do not grow', 'tickerSource.ts', ['this.#failures += 1\n', '']),
  mutant('pauses grow however well a source does', 'tickerSource.ts', ['        this.#failures = 0\n', '']),
  mutant('pauses are not spread', 'tickerSource.ts', ['* (0.5 + random() / 2)', '']),
  mutant('a source that is lost stays lost', 'tickerSource.ts', ['      this.#connect()\n    }', '    }']),
  mutant(
    'prices of something else keep a connection',
    'tickerSource.ts',
    ['let isPriced = false', 'let isPriced = true'],
    HOSTILE,
  ),
  mutant(
    'a connection may be made for as long as something trickles in',
    'tickerSource.ts',
    ['this.#after(handshakeMs, () => cut(', 'this.#after(1e9, () => cut('],
    HOSTILE,
  ),
  mutant(
    'all frames that have come are read in one turn of the loop',
    'tickerSource.ts',
    ['allowSynchronousEvents: false', 'allowSynchronousEvents: true'],
    HOSTILE,
  ),
  mutant(
    'pings are answered without end',
    'tickerSource.ts',
    ['if (socket.bufferedAmount <= MOST_UNREAD)', 'if (socket.bufferedAmount >= 0)'],
    HOSTILE,
  ),
  mutant('a ticker that was overtaken is the newest', 'tickerSource.ts', [
    'behind >= 1 && ',
    'behind < 0 && ',
  ]),
  mutant('of two tickers of one millisecond the first counts', 'tickerSource.ts', [
    'behind >= 1',
    'behind >= 0',
  ]),
  mutant('a clock that was set back is waited for', 'tickerSource.ts', [
    ' && behind <= this.configuration.maxAgeMs',
    '',
  ]),
  mutant('what an exchange objects to is taken for a heartbeat', 'objection.ts', [
    'OBJECTING.test(frame)',
    'false',
  ]),
  mutant('every acknowledgement is an objection', 'objection.ts', ['OBJECTING.test(frame)', 'true']),
  mutant('what an exchange says moves the terminal', 'objection.ts', [
    "text.replace(UNPRINTABLE, ' ')",
    'text',
  ]),
  mutant(
    'a market without a price is told without what was wrong with its sources',
    'indexFeed.ts',
    ['why === null || lastError === null', 'true'],
    'host/outages.test.ts',
  ),
]
