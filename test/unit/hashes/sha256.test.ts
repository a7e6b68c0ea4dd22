import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexadecimal, Sha256, sha256Hex } from '../../../src/hashes/sha256.ts'

// FIPS 180-4 and the NIST examples.
test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('the digest of "%s"', (text, digest) => expect(sha256Hex(text)).toBe(digest))

test('the digest of a million a', () => {
  expect(sha256Hex('a'.repeat(1_000_000))).toBe(
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  )
})

test('any text and any bytes have the digest the platform gives them', () => {
  const platform = (input: string | Uint8Array) => createHash('sha256').update(input).digest('hex')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => sha256Hex(text) === platform(text)),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => sha256Hex(bytes) === platform(bytes)))
})

test('lengths around the block boundary are padded right', () => {
  for (let length = 50; length < 140; length++) {
    const bytes = new Uint8Array(length).fill(length)
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('told piece by piece, texts and bytes in any order of lengths, it is the digest of the whole', () => {
  const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, fc.boolean(), (texts, asBytes) => {
      const hash = new Sha256()
      for (const text of texts)
        if (asBytes) hash.bytes(new TextEncoder().encode(text))
        else hash.text(text)
      expect(hexadecimal(hash.digest())).toBe(sha256Hex(texts.join('')))
    }),
  )
})

test('after a digest the next one begins', () => {
  const hash = new Sha256()
  for (const text of ['first', '', 'x'.repeat(100)]) {
    hash.text(text)
    expect(hexadecimal(hash.digest())).toBe(sha256Hex(text))
  }
})
