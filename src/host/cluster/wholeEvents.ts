/** Server-Sent Events on their way through a node: whole ones, so that they can end with a reason when their owner does not say one. */
import { Transform, type TransformCallback } from 'node:stream'

const END_OF_EVENT = '\n\n'

export class WholeEvents extends Transform {
  #rest: Buffer = Buffer.alloc(0)
  /** Of the last commit that was told of. */
  #seq = '0'

  /** Ends them as the owner would have: whoever listens goes on elsewhere. */
  endOfOwner(): void {
    const at = new Date().toISOString()
    this.push(
      `data: {"type":"end","seq":${this.#seq},"at":"${at}","data":{"reason":"closing"}}${END_OF_EVENT}`,
    )
    this.push(null)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = Buffer.concat([this.#rest, chunk])
    const boundary = bytes.lastIndexOf(END_OF_EVENT)
    const whole = boundary === -1 ? 0 : boundary + END_OF_EVENT.length
    this.#rest = bytes.subarray(whole)
    const last = bytes.subarray(0, whole).toString('latin1').lastIndexOf('"seq":')
    if (last !== -1) this.#seq = /\d+/.exec(bytes.toString('latin1', last, last + 24))?.[0] ?? this.#seq
    if (whole > 0) this.push(bytes.subarray(0, whole))
    done()
  }
}
