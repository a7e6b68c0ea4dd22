// What the processes of a group have had of the machine: their memory, and the time that was theirs.

import { readdirSync, readFileSync } from 'node:fs'

const PAGE = 4096
const NS = 1e9

/**
 * A clock that stands while a process of the group waits for a processor that others have: a run takes as long by it on a machine
 * that does much else as on one that does not. Who waits for nothing but an answer or a timer lets it go on.
 */
export class ProcessGroup {
  readonly #leader: number
  readonly #clock: () => number
  readonly #processes: (leader: number) => readonly GroupMember[]
  /** Of each process, how long it has waited so far, seconds. */
  #waits = new Map<number, number>()
  #at: number
  #own = 0
  #bytes = 0

  /** @param clock Of the wall, seconds. */
  constructor(
    leader: number,
    clock: () => number = () => performance.now() / 1_000,
    processes: (leader: number) => readonly GroupMember[] = membersOf,
  ) {
    this.#leader = leader
    this.#clock = clock
    this.#processes = processes
    this.#at = clock()
    for (const { pid, waited } of processes(leader)) this.#waits.set(pid, waited)
  }

  /** Resident, at the last look. */
  get bytes(): number {
    return this.#bytes
  }

  /** Seconds since the first look that were the group's; to be asked often, as what has ended says nothing any more. */
  look(): number {
    const [members, now] = [this.#processes(this.#leader), this.#clock()]
    // Who waits beside another waits no longer for it: of those that wait at once, the longest counts.
    const waited = Math.max(0, ...members.map(({ pid, waited }) => waited - (this.#waits.get(pid) ?? 0)))
    this.#own += Math.max(0, now - this.#at - waited)
    this.#at = now
    this.#waits = new Map(members.map(({ pid, waited }) => [pid, waited]))
    this.#bytes = members.reduce((sum, { bytes }) => sum + bytes, 0)
    return this.#own
  }
}

export interface GroupMember {
  readonly pid: number
  /** For a processor, since it began, seconds. */
  readonly waited: number
  readonly bytes: number
}

/** None where the system does not tell. */
function membersOf(leader: number): readonly GroupMember[] {
  const entries = process.platform === 'linux' ? readdirSync('/proc') : []
  return entries
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const fields = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        if (Number(fields[2]) !== leader) return []
        const [, waited] = readFileSync(`/proc/${entry}/schedstat`, 'utf8').split(' ')
        return [{ pid: Number(entry), waited: Number(waited) / NS, bytes: Number(fields[21]) * PAGE }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}
