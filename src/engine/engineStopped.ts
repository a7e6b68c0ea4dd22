/** The engine stopped: an invariant broke or the log could not be written. It refuses everything until restarted. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped'
}
