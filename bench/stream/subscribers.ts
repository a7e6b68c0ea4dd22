// Subscribers of bench/stream.ts, one connection each: those from `first` on, every `step`th but no multiple of `without`.

import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { fillsIn, monotonicMs, tokenOf } from './terms.ts'

/** Connections that are being opened at a time. */
const OPENING = 50

const [port = 0, priority = 0, first = 0, end = 0, step = 1, without = 0] = process.argv.slice(2).map(Number)
const numbers: number[] = []
for (let number = first; number < end; number += step)
  if (without === 0 || number % without !== 0) numbers.push(number)

if (priority !== 0) setPriority(priority)
const at: [number, number][] = []
let [begun, opened, messages] = [0, 0, 0]
for (let some = 0; some < OPENING; some++) openNext()
process.on('message', (message) => {
  if (message === 'heard') process.send?.({ at, messages })
  else process.exit()
})

function openNext(): void {
  const number = numbers[opened++]
  if (number === undefined) return
  // A port for each of 10,000 connections, and no more of one address than the venue lets in.
  const localAddress = `127.0.0.${2 + Math.floor(number / 900)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  let text = ''
  let hasBegun = false
  socket.on('data', (chunk) => {
    const now = monotonicMs()
    text += chunk.toString('latin1')
    const last = text.lastIndexOf('\n\n')
    if (last === -1) return
    const whole = text.slice(0, last)
    text = text.slice(last + 2)
    messages += whole.split('data: ').length - 1
    if (hasBegun) for (const seq of fillsIn(whole)) at.push([seq, now])
    else if (whole.includes('"type":"snapshot"')) {
      hasBegun = true
      begun += 1
      if (begun === numbers.length) process.send?.('begun')
      openNext()
    }
  })
  socket.on('error', (error) => console.error(error.message))
  socket.write(`GET /stream HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer ${tokenOf(number)}\r\n\r\n`)
}
