// `npx tsx --expose-gc bench/heap.ts [positions]`: where the bytes of an open position with a stop and a take lie, by what they are and who
// holds them, bytes and how many for each position, of two snapshots of V8's. 40,000 positions take 2 GB.

import { getHeapSnapshot } from 'node:v8'
import { benchVenue, open } from './venue.ts'

const MARKETS = 10
const positions = Number(process.argv[2] ?? 20_000)

const inUse = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heapUsed, arrayBuffers }
}

const engine = benchVenue({ markets: MARKETS, accounts: Math.ceil(positions / MARKETS / 2) })
const before = inUse()
const less = await snapshot()
for (let n = 0; n < positions; n++)
  open(
    engine,
    Math.floor(n / MARKETS / 2),
    n % MARKETS,
    Math.floor(n / MARKETS) % 2 === 0 ? 'long' : 'short',
    true,
  )
const after = inUse()
console.log(
  `heap ${((after.heapUsed - before.heapUsed) / positions).toFixed(0)} B, buffers beside it ${((after.arrayBuffers - before.arrayBuffers) / positions).toFixed(0)} B`,
)
const more = await snapshot()
const rows: [string, number, number][] = []
for (const [name, { bytes, count }] of more) {
  const had = less.get(name) ?? { bytes: 0, count: 0 }
  const each = (bytes - had.bytes) / positions
  if (Math.abs(each) >= 2) rows.push([name, each, (count - had.count) / positions])
}
rows.sort((a, b) => b[1] - a[1])
for (const [name, bytes, count] of rows)
  console.log(`${bytes.toFixed(1).padStart(8)} B  ${count.toFixed(2).padStart(6)}  ${name}`)
console.log(rows.reduce((sum, [, bytes]) => sum + bytes, 0).toFixed(0), engine.head)

type Sums = Map<string, { bytes: number; count: number }>

/** By what something is and who holds it first. */
async function snapshot(): Promise<Sums> {
  const parts: Buffer[] = []
  for await (const part of getHeapSnapshot()) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const nodesAt = bytes.indexOf('"nodes":[')
  const edgesAt = bytes.indexOf('"edges":[', nodesAt)
  const stringsAt = bytes.lastIndexOf('"strings":[')
  const { snapshot } = JSON.parse(`${bytes.toString('utf8', 0, nodesAt).replace(/,\s*$/, '')}}`)
  const nodes = numbers(bytes, nodesAt + 9)
  const edges = numbers(bytes, edgesAt + 9)
  const end = bytes.lastIndexOf(']')
  const strings: string[] = JSON.parse(bytes.toString('utf8', stringsAt + 10, end + 1))
  const width = snapshot.meta.node_fields.length
  const types: string[] = snapshot.meta.node_types[0]
  const edgeTypes: string[] = snapshot.meta.edge_types[0]
  const count = nodes.length / width
  const holder = new Int32Array(count).fill(-1)
  const by = new Int32Array(count)
  const kind = new Array<string>(count)
  let at = 0
  for (let n = 0; n < count; n++) {
    const type = types[nodes[n * width] as number] as string
    const name = strings[nodes[n * width + 1] as number] as string
    const edgeCount = nodes[n * width + 4] as number
    let tag = type === 'object' || type === 'native' ? name : type
    for (let e = 0; e < edgeCount; e++, at += 3) {
      const edgeType = edgeTypes[edges[at] as number]
      const to = (edges[at + 2] as number) / width
      const label = edgeType === 'element' || edgeType === 'hidden' ? -1 : (edges[at + 1] as number)
      if (tag === 'Object' && edgeType === 'property') {
        const s = strings[label]
        if (s === 'requestedTriggerPrice') tag = 'Object:order'
        else if (s === 'openedAt' || s === 'lastIncreaseAt') tag = 'Object:position'
        else if (s === 'place') tag = 'Object:levelEntry'
        else if (s === 'endedOrders') tag = 'Object:accountHistory'
        else if (s === 'highWater') tag = 'Object:account'
      }
      if (edgeType === 'weak' || holder[to] !== -1) continue
      holder[to] = n
      by[to] = label
    }
    kind[n] = tag
  }
  const sums: Sums = new Map()
  for (let n = 0; n < count; n++) {
    const size = nodes[n * width + 3] as number
    let owner = holder[n] as number
    let via = n
    while (owner >= 0 && kind[owner] === 'concatenated string') {
      via = owner
      owner = holder[owner] as number
    }
    const label = (by[via] as number) < 0 ? '[]' : `.${strings[by[via] as number]}`
    const above = kind[n] === 'array' && owner >= 0 ? (holder[owner] as number) : -1
    const beyond =
      above < 0
        ? ''
        : `  <  ${kind[above]}${(by[owner] as number) < 0 ? '[]' : `.${strings[by[owner] as number]}`}`
    const name = `${kind[n]}  <  ${owner < 0 ? '' : kind[owner]}${label}${beyond}`
    const sum = sums.get(name) ?? { bytes: 0, count: 0 }
    sum.bytes += size
    sum.count += 1
    sums.set(name, sum)
  }
  return sums
}

function numbers(bytes: Buffer, from: number): Uint32Array {
  const all: Uint32Array[] = []
  let part = new Uint32Array(1 << 20)
  let size = 0
  let value = 0
  let seen = false
  for (let at = from; ; at++) {
    const code = bytes[at] as number
    if (code >= 48 && code <= 57) {
      value = value * 10 + code - 48
      seen = true
    } else {
      if (seen) {
        if (size === part.length) {
          all.push(part)
          part = new Uint32Array(1 << 20)
          size = 0
        }
        part[size++] = value
        value = 0
        seen = false
      }
      if (code === 93) break
    }
  }
  all.push(part.subarray(0, size))
  const whole = new Uint32Array(all.reduce((sum, one) => sum + one.length, 0))
  let to = 0
  for (const one of all) {
    whole.set(one, to)
    to += one.length
  }
  return whole
}
