/** Positions closed by the platform one by one: a single force close (H2) and the weekly session close (G3). */

import type { ForceClosePosition } from '../../events/command.ts'
import type { Refusal } from '../../terms/errors.ts'
import { closeByPlatform } from '../flows/closing.ts'
import type { Step } from '../flows/step.ts'
import type { Market } from '../state/market.ts'
import { endedPositionFault } from './endedPosition.ts'

export function forceClosePosition(step: Step, command: ForceClosePosition): Refusal | null {
  const position = step.world.positions.get(command.positionId)
  if (position === undefined) return endedPositionFault(step.world, command.positionId, null)
  closeByPlatform(step, position, step.world.markets.get(position.marketId) as Market, 'force_close')
  return null
}
