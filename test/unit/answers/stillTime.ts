const AT = Date.UTC(2026, 0, 5, 12)

/** Runs something while no time passes, no timer is set, chance is a sequence, and what is printed is heard. */
export function stillTime(run: () => void, onPrinted: (text: string) => void): void {
  const { Date: Clock, setTimeout, setInterval, setImmediate, queueMicrotask } = globalThis
  const { now } = performance
  const { random } = Math
  const { exitCode } = process
  const [out, err] = [process.stdout.write, process.stderr.write]
  class Still extends Clock {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(AT)
      else super(...(given as [number]))
    }
    static override now(): number {
      return AT
    }
  }
  const none = () => ({ ref: none, unref: none, hasRef: () => false, refresh: none })
  const heard = (text: string | Uint8Array) => {
    onPrinted(String(text))
    return true
  }
  let drawn = 0
  try {
    Object.assign(globalThis, { Date: Still, setTimeout: none, setInterval: none, setImmediate: none })
    performance.now = () => 1_000
    Math.random = () => (drawn++ % 7) / 7
    process.stdout.write = heard
    process.stderr.write = heard
    run()
  } finally {
    Object.assign(globalThis, { Date: Clock, setTimeout, setInterval, setImmediate, queueMicrotask })
    performance.now = now
    Math.random = random
    process.stdout.write = out
    process.stderr.write = err
    process.exitCode = exitCode
  }
}
