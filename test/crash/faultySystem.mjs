// Loaded into a host before anything else: calls to the operating system on its data fail, fall short or take their
// time, and its wall clock steps. By seed; every fault that struck is written to a file. Plain JavaScript, because the
// program under test runs without a loader.

import fs, { appendFileSync } from 'node:fs'
import fsp from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/**
 * @typedef {object} FaultPlan
 * @property {number} seed
 * @property {string} data what lies in this directory is struck
 * @property {string} report where a line is written for every fault
 * @property {number} errorAt the call that fails, counted from 1; 0 = none
 * @property {number} errors how many calls fail from then on
 * @property {string} code what they fail with
 * @property {number} shortOneIn one in so many reads and writes is short; 0 = none
 * @property {number} delayOneIn one in so many calls is delayed; 0 = none
 * @property {readonly number[]} clockSteps by how many ms the wall clock steps, every 100 ms
 */

/** @type {FaultPlan} */
const plan = JSON.parse(process.env.FAULTS ?? '{}')

/** The calls a code is an answer to, as the manual pages have it. */
const ANSWERED_WITH = {
  EIO: ['open', 'read', 'write', 'datasync', 'sync', 'truncate', 'rename', 'readdir', 'link'],
  ENOSPC: ['open', 'write', 'datasync', 'truncate', 'rename', 'mkdir', 'link'],
  EMFILE: ['open', 'readdir'],
  EACCES: ['open', 'rename', 'readdir', 'mkdir', 'rm', 'link'],
}
/** @type {readonly string[]} */
const struck = ANSWERED_WITH[plan.code] ?? []

let dice = plan.seed
/** A whole number below `bound`: Marsaglia's xorshift. */
function roll(bound) {
  dice ^= dice << 13
  dice ^= dice >>> 17
  dice ^= dice << 5
  return (dice >>> 0) % bound
}

function tell(what) {
  appendFileSync(plan.report, `${what}\n`)
}

let calls = 0
/** What one call meets: nothing, a delay, or the error it has to fail with. */
async function fate(call) {
  if (plan.delayOneIn > 0 && roll(plan.delayOneIn) === 0) {
    tell(`delay ${call}`)
    await new Promise((resolve) => setTimeout(resolve, 1 + roll(40)))
  }
  if (plan.errorAt === 0 || !struck.includes(call)) return
  calls += 1
  if (calls < plan.errorAt || calls >= plan.errorAt + plan.errors) return
  tell(`${plan.code} ${call}`)
  return Object.assign(new Error(`${plan.code}: injected, ${call}`), { code: plan.code, syscall: call })
}

const isShort = () => plan.shortOneIn > 0 && roll(plan.shortOneIn) === 0

const handles = new WeakSet()
/** Files that are open, by number: what is written to them without their handle. */
const files = new Set()
const probe = await fsp.open(process.execPath)
const methods = Object.getPrototypeOf(probe)
await probe.close()

for (const call of ['datasync', 'sync', 'truncate']) {
  const real = methods[call]
  methods[call] = async function (...given) {
    const error = handles.has(this) ? await fate(call) : undefined
    if (error !== undefined) throw error
    return real.apply(this, given)
  }
}
for (const call of ['read', 'write']) {
  const real = methods[call]
  methods[call] = async function (bytes, offset, length, position) {
    if (!handles.has(this) || !ArrayBuffer.isView(bytes) || typeof length !== 'number' || length < 2)
      return real.call(this, bytes, offset, length, position)
    const error = await fate(call)
    const part = 1 + roll(length - 1)
    if (error !== undefined) {
      // What fails for want of room has often been done in part.
      if (call === 'write' && error.code === 'ENOSPC') await real.call(this, bytes, offset, part, position)
      throw error
    }
    if (!isShort()) return real.call(this, bytes, offset, length, position)
    tell(`short ${call}`)
    return real.call(this, bytes, offset, part, position)
  }
}
const writeTo = fs.write
fs.write = (file, bytes, offset, length, position, told) => {
  if (!files.has(file) || length < 2) return writeTo(file, bytes, offset, length, position, told)
  fate('write').then((error) => {
    const part = 1 + roll(length - 1)
    if (error !== undefined) {
      if (error.code !== 'ENOSPC') return told(error)
      return writeTo(file, bytes, offset, part, position, () => told(error))
    }
    if (!isShort()) return writeTo(file, bytes, offset, length, position, told)
    tell('short write')
    writeTo(file, bytes, offset, part, position, told)
  })
}
for (const call of ['open', 'rename', 'readdir', 'mkdir', 'rm', 'link']) {
  const real = fsp[call]
  fsp[call] = async (name, ...given) => {
    const inside = String(name).startsWith(plan.data)
    const error = inside ? await fate(call) : undefined
    if (error !== undefined) throw error
    const result = await real(name, ...given)
    if (call === 'open') {
      if (inside) handles.add(result)
      if (inside) files.add(result.fd)
      else files.delete(result.fd)
    }
    return result
  }
}
syncBuiltinESMExports()

if (plan.clockSteps.length > 0) {
  const now = Date.now
  const began = performance.now()
  let known = 0
  Date.now = () => {
    const step = Math.min(Math.floor((performance.now() - began) / 100), plan.clockSteps.length)
    for (; known < step; known++) tell(`clock ${plan.clockSteps[known] > 0 ? 'forward' : 'back'}`)
    return now() + plan.clockSteps.slice(0, step).reduce((sum, ms) => sum + ms, 0)
  }
}
