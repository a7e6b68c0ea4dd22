/** Positions closed by the platform one by one: a single force close (H2) and the weekly session close (G3). */

import type { ForceClosePosition } from '../../events/command.ts'
import type { Rejection } from '../../terms/errors.ts'
import { closeByPlatform } from '../flows/closeByPlatform.ts'
import type { Decision } from '../flows/decision.ts'
import { endedPositionRejection } from './endedPosition.ts'

export function forceClosePosition(decision: Decision, command: ForceClosePosition): Rejection | null {
  const position = decision.world.positions.get(command.positionId)
  if (position === undefined) return endedPositionRejection(decision.world, command.positionId, null)
  closeByPlatform(decision, position, decision.world.markets.known(position.marketId), 'force_close')
  return null
}
