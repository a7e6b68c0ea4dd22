const AT = Date.UTC(2026, 0, 5, 12)

const asItIs = () => ({
  timers: {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
  },
  page: {
    matchMedia: (globalThis as { matchMedia?: unknown }).matchMedia,
    location: (globalThis as { location?: unknown }).location,
  },
  now: performance.now,
  random: Math.random,
  out: process.stdout.write,
  err: process.stderr.write,
  kill: process.kill,
  exit: process.exit,
  exitCode: process.exitCode,
  env: process.env,
})

/** Gives what puts time, chance and what is printed back as they are now. */
export function putBack(): () => void {
  const before = asItIs()
  return () => {
    Object.assign(globalThis, before.timers, before.page)
    performance.now = before.now
    Math.random = before.random
    process.stdout.write = before.out
    process.stderr.write = before.err
    process.kill = before.kill
    process.exit = before.exit
    process.exitCode = before.exitCode
    process.env = before.env
  }
}

class Still extends Date {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(AT)
    else super(...(given as [number]))
  }
  static override now(): number {
    return AT
  }
}

/** Where a page was loaded from. */
const PLACE = { origin: 'https://venue.test', pathname: '/console/', hash: '#markets' }

/** What those who start a program have said to it. */
const SAID = { PATH: '/bin', HOME: '/home/trader', MARGIN_CORE_KEY: 'mtk_of_the_environment' }

const none = () => ({ ref: none, unref: none, hasRef: () => false, refresh: none })

/** Runs something while no time passes, no timer is set, chance is a sequence, and what is printed is heard. */
export async function stillTime(run: () => Promise<void>, onPrinted: (text: string) => void): Promise<void> {
  const back = putBack()
  const heard = (text: string | Uint8Array) => {
    onPrinted(String(text))
    return true
  }
  let drawn = 0
  try {
    Object.assign(globalThis, { Date: Still, setTimeout: none, setInterval: none, setImmediate: none })
    const matchMedia = () => ({ matches: drawn++ % 2 === 0 })
    Object.assign(globalThis, { matchMedia, location: PLACE })
    performance.now = () => 1_000
    Math.random = () => (drawn++ % 7) / 7
    process.stdout.write = heard
    process.stderr.write = heard
    process.kill = (_, signal) => {
      throw new Error(`ends a program with ${signal}`)
    }
    process.env = { ...SAID }
    process.exit = (code) => {
      throw new Error(`ends the program with ${code}`)
    }
    await run()
  } finally {
    back()
  }
}
