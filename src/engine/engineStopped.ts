/** The engine stopped: an invariant broke or the log could not be written. It refuses everything until restarted (K6). */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped'
}
