/** The same bytes as Node and LMDB want them; nothing is copied. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** For messages, and as a key of a map. */
export function hexOf(bytes: Uint8Array): string {
  return bufferOver(bytes).toString('hex')
}
