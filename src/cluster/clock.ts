/** Time as one process sees it. */
export interface ClusterClock {
  /** Milliseconds on a clock that nobody moves. */
  monotonic(): number
  sleep(ms: number): Promise<void>
}
