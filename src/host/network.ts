/** Whom an address stands for, where what comes from one address is bounded (K4, K10). */

/**
 * An IPv4 address is its own; of IPv6 it is the network of 64 bits, since whoever has one address of it has all 2^64. Takes
 * an address as Node tells it; an IPv4 address in IPv6 notation stays as it is.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(8 - groups.length - after.length, 0)).fill('0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}
