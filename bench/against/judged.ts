/** How many pairs of processes a speed is judged by. */

/** Pairs of processes for each work, and how many more for one that would be too slow. */
const PAIRS = 3
const MORE_PAIRS = 4
/** One pair is enough for a work that lies above the least by more than processes of the same sources were seen to differ. */
const BEYOND_LUCK = 1.3

/**
 * `measure` measures some more pairs, and gives the middle of all so far.
 *
 * @param atLeast the least that it may be; 0: nobody asks, and it is told as well as three pairs tell it.
 */
export function judged(measure: (pairs: number) => number, atLeast: number): number {
  let speed = measure(atLeast > 0 ? 1 : PAIRS)
  if (atLeast > 0 && speed < atLeast * BEYOND_LUCK) speed = measure(PAIRS - 1)
  return speed < atLeast ? measure(MORE_PAIRS) : speed
}
