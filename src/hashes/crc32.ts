/** CRC-32 (IEEE 802.3), eight bytes at a time: tells any burst of up to 32 bits, and the rest to one in 2^32. */

const TABLES = tables()

function tables(): Int32Array {
  const table = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    table[byte] = value
  }
  for (let index = 256; index < table.length; index++) {
    const previous = table[index - 256] as number
    table[index] = (previous >>> 8) ^ (table[previous & 0xff] as number)
  }
  return table
}

/** The checksum of `bytes[from, to)` behind bytes whose checksum is `before`, as an unsigned integer. */
export function crc32(bytes: Uint8Array, from: number, to: number, before = 0): number {
  const t = TABLES
  let crc = ~before
  let at = from
  for (const end = to - 7; at < end; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24))
    crc =
      (t[1792 + (low & 0xff)] as number) ^
      (t[1536 + ((low >>> 8) & 0xff)] as number) ^
      (t[1280 + ((low >>> 16) & 0xff)] as number) ^
      (t[1024 + (low >>> 24)] as number) ^
      (t[768 + (bytes[at + 4] as number)] as number) ^
      (t[512 + (bytes[at + 5] as number)] as number) ^
      (t[256 + (bytes[at + 6] as number)] as number) ^
      (t[bytes[at + 7] as number] as number)
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] as number)) & 0xff] as number)
  return ~crc >>> 0
}
