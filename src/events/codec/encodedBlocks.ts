/**
 * What is encoded one after another and kept, in large blocks of memory: a million records are a few hundred objects to
 * the collector. What was written never changes, and stays readable for whoever holds its block.
 */
import { unseenMemory } from '../../collections/unseenMemory.ts'
import { ByteWriter } from './byteWriter.ts'

/** The first block is small, because most engines are; later ones are larger up to this. Bytes. */
const SMALLEST = 1 << 12
const LARGEST = 1 << 18
/** A block with less room than this is full: most of what is written fits in, and the rest makes its block larger. */
const ROOM = 1 << 9
/** A place is the number of a block and where in it something begins. */
const PER_BLOCK = 2 ** 32

export class EncodedBlocks {
  /** Writes what is kept, between {@link begin} and {@link end}. */
  readonly writer = new ByteWriter(0, unseenMemory)
  readonly #blocks: Uint8Array[] = []
  /** Where in the last block the next record begins. */
  #end = 0
  /** The last block was made as long as the record that did not fit in, and takes no other. */
  #isFull = false

  /** How many blocks there have been. */
  get count(): number {
    return this.#blocks.length
  }

  /** Puts the writer where the next record goes; gives its place. What was begun and never ended is written over. */
  begin(): number {
    const { writer } = this
    if (this.#blocks.length === 0 || this.#isFull || writer.bytes.length - this.#end < ROOM) this.#addBlock()
    writer.at = this.#end
    return this.place(this.#blocks.length - 1, this.#end)
  }

  /** What was written since {@link begin} is kept. */
  end(): void {
    this.#end = this.writer.at
    // A long record has moved to larger memory; a large block would then be as large again, and empty.
    this.#isFull = this.writer.bytes.length > LARGEST
    this.#blocks[this.#blocks.length - 1] = this.#isFull ? this.#cut() : this.writer.bytes
  }

  /** Bytes of all blocks. */
  get room(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0)
  }

  /** The block of a place. */
  block(place: number): Uint8Array {
    return this.bytes(blockOf(place))
  }

  /** A block by its number, the first being 0. What nothing was written to is zero. */
  bytes(block: number): Uint8Array {
    return this.#blocks[block] as Uint8Array
  }

  /** The place in a block at which something begins. */
  place(block: number, offset: number): number {
    return block * PER_BLOCK + offset
  }

  /** Nothing in a block, which is not the last, is needed any more. */
  drop(block: number): void {
    this.#blocks[block] = NOTHING
  }

  /** What was written to the last block, in memory of that length. */
  #cut(): Uint8Array {
    const bytes = new Uint8Array(unseenMemory(this.#end))
    bytes.set(this.writer.bytes.subarray(0, this.#end))
    return bytes
  }

  #addBlock(): void {
    const grown = this.#blocks.length === 0 ? SMALLEST : Math.min(2 * this.writer.bytes.length, LARGEST)
    this.writer.moveTo(new Uint8Array(unseenMemory(grown)))
    this.#blocks.push(this.writer.bytes)
    this.#end = 0
    this.#isFull = false
  }
}

const NOTHING = new Uint8Array(0)

export function blockOf(place: number): number {
  return Math.floor(place / PER_BLOCK)
}

/** Where in its block something begins. */
export function offsetOf(place: number): number {
  return place % PER_BLOCK
}
