/**
 * Memory that V8 does not count as pressure on the heap. Counted, it collects the whole heap again and again while
 * records come in, which is slow where a million things rest, and frees nothing: they stay.
 */
export function unseenMemory(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)
}
