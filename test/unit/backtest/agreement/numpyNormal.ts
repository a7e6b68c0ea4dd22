// Normal numbers as `numpy.random.default_rng(seed).normal()` makes them: PCG64 (O'Neill 2014: a 128-bit congruential generator, of whose
// state both halves are xored and the result rotated) and the ziggurat of Marsaglia and Tsang (2000) with 256 layers. Tables, logarithms and
// exponentials are computed here, so that the last bit of a number may differ.

const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n

const LAYERS = 256
/** Where the lowest layer ends, and the area of each. */
const TAIL = 3.6541528853610088
const AREA = 0.004928673233974655
const STEPS = 2 ** 52

/** State and increment of PCG64, as `numpy.random.PCG64(seed).state` tells them. */
export interface PcgState {
  readonly state: bigint
  readonly increment: bigint
}

/** What it gives is called for the next standard normal number. */
export function numpyNormal({ state: first, increment }: PcgState): () => number {
  const { width, inside, height } = layers()
  let state = first
  /** The halves of the 64 bits that were drawn last. */
  let [upper, lower] = [0, 0]
  const draw = () => {
    state = BigInt.asUintN(128, state * MULTIPLIER + increment)
    const mixed = BigInt.asUintN(64, (state >> 64n) ^ state)
    const turn = state >> 122n
    const turned = BigInt.asUintN(64, (mixed >> turn) | (mixed << (64n - turn)))
    upper = Number(turned >> 32n)
    lower = Number(BigInt.asUintN(32, turned))
  }
  const uniform = () => {
    draw()
    return (upper * 2 ** 21 + (lower >>> 11)) / 2 ** 53
  }
  const beyondTail = (isNegative: boolean) => {
    for (;;) {
      const beyond = -Math.log1p(-uniform()) / TAIL
      const level = -Math.log1p(-uniform())
      if (2 * level > beyond * beyond) return isNegative ? -(TAIL + beyond) : TAIL + beyond
    }
  }
  return () => {
    for (;;) {
      draw()
      // Eight bits choose the layer, one the sign, 52 the place within it.
      const layer = lower & 0xff
      const step = (upper & 0x1fffffff) * 2 ** 23 + (lower >>> 9)
      const size = step * (width[layer] as number)
      const value = (lower & 0x100) === 0 ? size : -size
      if (step < (inside[layer] as number)) return value
      if (layer === 0) return beyondTail(((lower >>> 17) & 1) === 1)
      const [top, bottom] = [height[layer - 1] as number, height[layer] as number]
      if ((top - bottom) * uniform() + bottom < Math.exp(-0.5 * value * value)) return value
    }
  }
}

/** Of each layer the width of a step, the steps that lie below the curve throughout, and its height. */
function layers() {
  const [width, inside, height] = [
    new Float64Array(LAYERS),
    new Float64Array(LAYERS),
    new Float64Array(LAYERS),
  ]
  const density = (value: number) => Math.exp(-0.5 * value * value)
  const last = LAYERS - 1
  let outer = TAIL
  width[last] = TAIL / STEPS
  height[last] = density(TAIL)
  inside[0] = Math.floor(((TAIL * density(TAIL)) / AREA) * STEPS)
  width[0] = AREA / density(TAIL) / STEPS
  height[0] = 1
  for (let layer = last - 1; layer > 0; layer--) {
    const edge = Math.sqrt(-2 * Math.log(AREA / outer + (height[layer + 1] as number)))
    inside[layer + 1] = Math.floor((edge / outer) * STEPS)
    width[layer] = edge / STEPS
    height[layer] = density(edge)
    outer = edge
  }
  return { width, inside, height }
}
