/** The clocks of Node's event loop. */
import type { LoopClocks } from '../turns.ts'

export const LOOP_CLOCKS: LoopClocks = {
  elapsed: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
  later: (turn) => setImmediate(turn),
}
