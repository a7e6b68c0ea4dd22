/** Secrets: drawn here, shown once, kept as a SHA-256 only (I6). */
import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import { shardBits } from '../cluster/shardOf.ts'

const KEY_PREFIX = 'mtk_'
const KEY_BYTES = 32
const TOKEN_BYTES = 24
/** Characters of a key that may be shown again, to recognize it by; of short keys at most a third. */
const SHOWN_CHARACTERS = 12

/** Of an operator or a session: 24 random bytes in base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** `mtk_` and 32 random bytes in base64url. */
export function newApiKey(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
}

/** The same with a dot and {@link shardBits} of its user in hex behind it, from which any node knows where to send it. */
export function newClusterKey(userId: string): string {
  return `${newApiKey()}.${shardBits(userId).toString(16).padStart(8, '0')}`
}

/** What a key says of its user's shard; null = nothing. It is a hint: whether the key is good is not asked. */
export function shardBitsOf(secret: string): number | null {
  const bits = /^mtk_[\w-]+\.([0-9a-f]{8})$/.exec(secret)?.[1]
  return bits === undefined ? null : Number.parseInt(bits, 16)
}

/** In one call where Node has it (20.12): every request hashes its key. */
export const hashOf: (secret: string) => string =
  typeof crypto.hash === 'function'
    ? (secret) => crypto.hash('sha256', secret)
    : (secret) => crypto.createHash('sha256').update(secret).digest('hex')

export function shownPrefix(secret: string): string {
  return secret.slice(0, Math.min(SHOWN_CHARACTERS, Math.floor(secret.length / 3)))
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
