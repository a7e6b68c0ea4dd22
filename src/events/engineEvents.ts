/** The first fact of every log. */
export interface EngineCreated {
  readonly type: 'engineCreated'
  /** Seeds the deterministic ids (A4). */
  readonly seed: string
}
