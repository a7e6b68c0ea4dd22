/** What an action comes to before a run begins: strategies are told prices, and may trade on none of them. */
import type { WarmingUp } from './strategy.ts'

/** It is not counted among the rejections: it concerns nobody's rules. */
interface Idle {
  readonly ok: false
  readonly error: WarmingUp
}

export const IDLE: Idle = Object.freeze({ ok: false, error: Object.freeze({ code: 'warming_up' }) })
