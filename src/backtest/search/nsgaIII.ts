/**
 * NSGA-III (K. Deb, H. Jain, IEEE Transactions on Evolutionary Computation 18 (4), 2014): of parents and children those survive that
 * fewer others beat in every objective, and among equals those that lie along directions which few others do. Parents are compared as
 * U-NSGA-III has it (H. Seada, K. Deb, same journal 20 (3), 2016), so that it does with one objective as well.
 */
import { Random } from '../simulated/random.ts'
import { frontsOf } from '../sweep/fronts.ts'
import { type Niche, nichesOf } from './niches.ts'
import { referencePoints } from './referencePoints.ts'
import type { Sampler, Seen } from './sampler.ts'
import { childOf } from './variation.ts'

/** The least that survive. */
const POPULATION = 32
/** Distribution index of crossover: children stay near, for parents of far directions are far from each other. */
const ETA = 30

interface Member extends Niche {
  readonly seen: Seen
  readonly front: number
}

export class NsgaIII implements Sampler {
  readonly beginning: number
  readonly batch: number
  /** Of each axis whether its values have no order. */
  readonly #isChoice: readonly boolean[]
  readonly #directions: readonly (readonly number[])[]
  #members: readonly Member[] = []

  constructor(isChoice: readonly boolean[], objectives: number) {
    this.#isChoice = isChoice
    this.#directions = referencePoints(objectives)
    this.batch = Math.max(POPULATION, this.#directions.length)
    this.beginning = this.batch
  }

  learn(seen: readonly Seen[], fresh: number): void {
    const all = [...this.#members.map((member) => member.seen), ...seen.slice(-fresh)]
    this.#members = this.#survivors(all, new Random(`niches/${seen.length}`))
  }

  proposed(seed: string): number[] {
    const random = new Random(seed)
    const [one, other] = [this.#parent(random), this.#parent(random)]
    return childOf(one, other, { isChoice: this.#isChoice, eta: ETA, random })
  }

  /** Of two along one direction the better; of others either, so that no direction is bred away. */
  #parent(random: Random): readonly number[] {
    const [one, other] = [this.#any(random), this.#any(random)]
    const isFirst = one.direction !== other.direction || compareMembers(one, other) <= 0
    return (isFirst ? one : other).seen.at
  }

  #any(random: Random): Member {
    return this.#members[random.below(this.#members.length)] as Member
  }

  /** Front after front; of the last those along directions with the fewest survivors. */
  #survivors(all: readonly Seen[], random: Random): Member[] {
    const known = membersOf(all, this.#directions)
    const kept: Member[] = []
    for (let front = 1; kept.length < Math.min(this.batch, known.length); front++) {
      const own = known.filter((member) => member.front === front)
      const room = this.batch - kept.length
      kept.push(...(own.length <= room ? own : spread(own, kept, room, random)))
    }
    return kept
  }
}

function compareMembers(a: Member, b: Member): number {
  return a.front - b.front || a.away - b.away
}

/** What lacks a figure has no direction and comes behind whatever has them all. */
function membersOf(all: readonly Seen[], directions: readonly (readonly number[])[]): Member[] {
  const whole = all.filter(({ costs }) => costs.every(Number.isFinite))
  const fronts = frontsOf(whole.map(({ costs }) => costs))
  const niches = nichesOf(
    whole.map(({ costs }) => costs),
    fronts.map((front) => front === 1),
    directions,
  )
  const told = whole.map((seen, index) => ({
    seen,
    front: fronts[index] as number,
    ...(niches[index] as Niche),
  }))
  const behind = Math.max(0, ...fronts)
  const lacking = all.filter((seen) => !whole.includes(seen))
  const theirs = frontsOf(lacking.map(({ costs }) => costs))
  return [
    ...told,
    ...lacking.map((seen, index) => ({
      ...{ seen, front: behind + (theirs[index] as number) },
      ...{ direction: -1, away: 0 },
    })),
  ]
}

/** So many of a front: the nearest to a direction that none has yet, any along one that some have (algorithm 4 there). */
function spread(front: readonly Member[], kept: readonly Member[], room: number, random: Random): Member[] {
  const crowds = new Map<number, number>()
  const crowdOf = ({ direction }: Member) => crowds.get(direction) ?? 0
  for (const member of kept) crowds.set(member.direction, crowdOf(member) + 1)
  const left = [...front]
  const chosen: Member[] = []
  while (chosen.length < room) {
    const fewest = Math.min(...left.map(crowdOf))
    const lonely = [
      ...new Set(left.filter((member) => crowdOf(member) === fewest).map((member) => member.direction)),
    ]
    const direction = lonely[random.below(lonely.length)] as number
    const along = left.filter((member) => member.direction === direction)
    const next =
      fewest === 0
        ? along.reduce((best, member) => (member.away < best.away ? member : best))
        : (along[random.below(along.length)] as Member)
    crowds.set(direction, fewest + 1)
    left.splice(left.indexOf(next), 1)
    chosen.push(next)
  }
  return chosen
}
