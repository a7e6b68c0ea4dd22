/** The index price of a quote: ⌊(bid + ask) / 2⌋, for prices above zero. A shift by one bit rounds down. */
export function midDown(bid: bigint, ask: bigint): bigint {
  return (bid + ask) >> 1n
}
