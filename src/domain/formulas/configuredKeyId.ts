/** The id of an API key that comes from the configuration (K11). */
import { hexadecimal, sha256 } from '../../hashes/sha256.ts'

/**
 * The id of a configured key, from its secret's hash: the same from start to start, and nobody else's, because other
 * ids are drawn at random. A uuid v4 in form.
 */
export function configuredKeyId(hash: string): string {
  const hex = hexadecimal(sha256(`api key ${hash}`))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
