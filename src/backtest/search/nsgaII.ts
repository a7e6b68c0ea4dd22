/**
 * NSGA-II (K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, IEEE Transactions on Evolutionary Computation 6 (2), 2002): of parents and
 * children those survive that fewer others beat in every objective, and among equals those with more room around them.
 */
import { Random } from '../simulated/random.ts'
import { frontsOf } from '../sweep/fronts.ts'
import type { Sampler, Seen } from './sampler.ts'
import { childOf } from './variation.ts'

/** How many survive, and how many children they have. */
const POPULATION = 32
/** Distribution index of crossover: the larger, the nearer a child is to its parents. */
const ETA = 15

interface Member {
  readonly seen: Seen
  readonly front: number
  /** How far its neighbours of the same front are apart, over all objectives. */
  readonly room: number
}

export class NsgaII implements Sampler {
  readonly beginning = POPULATION
  readonly batch = POPULATION
  /** Of each axis whether its values have no order. */
  readonly #isChoice: readonly boolean[]
  #members: readonly Member[] = []

  constructor(isChoice: readonly boolean[]) {
    this.#isChoice = isChoice
  }

  learn(seen: readonly Seen[], fresh: number): void {
    const children = seen.slice(-fresh)
    this.#members = survivors([...this.#members.map((member) => member.seen), ...children])
  }

  proposed(seed: string): number[] {
    const random = new Random(seed)
    const [one, other] = [this.#parent(random), this.#parent(random)]
    return childOf(one, other, { isChoice: this.#isChoice, eta: ETA, random })
  }

  /** The better of two. */
  #parent(random: Random): readonly number[] {
    const [one, other] = [this.#any(random), this.#any(random)]
    return (compareMembers(one, other) <= 0 ? one : other).seen.at
  }

  #any(random: Random): Member {
    return this.#members[random.below(this.#members.length)] as Member
  }
}

function compareMembers(a: Member, b: Member): number {
  return a.front - b.front || (a.room === b.room ? 0 : b.room - a.room)
}

function survivors(all: readonly Seen[]): Member[] {
  const fronts = frontsOf(all.map(({ costs }) => costs))
  const members: Member[] = []
  for (let front = 1; members.length < Math.min(POPULATION, all.length); front++) {
    const own = all.filter((_, index) => fronts[index] === front)
    const rooms = roomsOf(own)
    const told = own.map((seen, index) => ({ seen, front, room: rooms[index] as number }))
    members.push(...told.sort(compareMembers).slice(0, POPULATION - members.length))
  }
  return members
}

/** The crowding distance; infinite for the ends. */
function roomsOf(front: readonly Seen[]): number[] {
  const rooms = new Array<number>(front.length).fill(0)
  for (let objective = 0; objective < (front[0]?.costs.length ?? 0); objective++) {
    const cost = (index: number | undefined) => front[index as number]?.costs[objective] as number
    const order = [...front.keys()].sort((a, b) => (cost(a) === cost(b) ? 0 : cost(a) - cost(b)))
    const [first, last] = [order[0] as number, order.at(-1) as number]
    const width = cost(last) - cost(first)
    rooms[first] = Number.POSITIVE_INFINITY
    rooms[last] = Number.POSITIVE_INFINITY
    if (!(width > 0 && width < Number.POSITIVE_INFINITY)) continue
    for (let place = 1; place < order.length - 1; place++)
      rooms[order[place] as number] =
        (rooms[order[place] as number] as number) + (cost(order[place + 1]) - cost(order[place - 1])) / width
  }
  return rooms
}
