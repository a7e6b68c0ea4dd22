/**
 * `npx tsx --expose-gc bench/idWords.ts [ids]`: an index by id that keeps texts beside one that keeps the four words of each uuid, and what it
 * takes to make a text of words for whoever reads. A prototype. Each id is asked for with a text of its own, as a command
 * brings it, in no order. Processor time, the best of rounds in turns, ns each.
 */
import { IdMap } from '../src/collections/idMap.ts'
import { IdSpace } from '../src/domain/state/ids.ts'
import { ByteReader } from '../src/events/codec/byteReader.ts'
import { ByteWriter } from '../src/events/codec/byteWriter.ts'
import { wordsOf } from '../src/events/codec/uuidWords.ts'
import { collect } from './figure.ts'

const ROUNDS = 5
const count = Number(process.argv[2] ?? 300_000)

class WordMap {
  readonly #table: Int32Array
  readonly #words = new Uint32Array(4 * count)
  readonly #asked = new Uint32Array(4)
  #size = 0

  constructor() {
    let length = 64
    while (length < 4 * count) length *= 2
    this.#table = new Int32Array(length)
  }

  add(id: string): void {
    wordsOf(id, this.#asked)
    this.#words.set(this.#asked, 4 * this.#size++)
    const mask = this.#table.length - 1
    let at = (this.#asked[0] as number) & mask
    while (this.#table[at] !== 0) at = (at + 1) & mask
    this.#table[at] = this.#size
  }

  get(id: string): number | undefined {
    const asked = this.#asked
    const words = this.#words
    if (!wordsOf(id, asked)) return undefined
    const mask = this.#table.length - 1
    for (let at = (asked[0] as number) & mask; ; at = (at + 1) & mask) {
      const place = this.#table[at] as number
      if (place === 0) return undefined
      const from = 4 * (place - 1)
      if (
        words[from] === asked[0] &&
        words[from + 1] === asked[1] &&
        words[from + 2] === asked[2] &&
        words[from + 3] === asked[3]
      )
        return place - 1
    }
  }
}

const space = new IdSpace('bench')
const ids = Array.from({ length: count }, (_, n) => space.id(n, 0))
const asked = Array.from({ length: count }, (_, n) => space.id((n * 7_919) % count, 0))
const written = new ByteWriter(20 * count)
const best = new Map<string, number>()
let found = 0
for (let round = 0; round < ROUNDS; round++) {
  const texts = new IdMap<number>()
  const words = new WordMap()
  time('texts, added', () => {
    for (let n = 0; n < count; n++) texts.add(ids[n] as string, n)
  })
  time('words, added', () => {
    for (const id of ids) words.add(id)
  })
  time('texts, asked for', () => {
    for (const id of asked) found += texts.known(id)
  })
  time('words, asked for', () => {
    for (const id of asked) found -= words.get(id) as number
  })
  written.reset()
  for (const id of ids) written.id(id)
  time('a text made of words', () => {
    const reader = new ByteReader(written.bytes)
    for (let n = 0; n < count; n++) reader.id()
  })
}
if (found !== 0) throw new Error('one of them found something else')
for (const [name, ns] of best) console.log(`${name.padEnd(22)}${ns.toFixed(0).padStart(5)} ns`)

/** Of the processor, this thread and the collector's helpers counted. */
function time(name: string, work: () => void): void {
  collect()
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (1_000 * (user + system)) / count))
}
