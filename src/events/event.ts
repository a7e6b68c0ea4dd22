/** Every fact the engine records. The state is the fold of these; nothing else changes it. */
import type { AccountEvent } from './accountEvents.ts'
import type { ApiKeyEvent } from './apiKeyEvents.ts'
import type { EngineEvent } from './engineEvents.ts'
import type { MarketEvent } from './marketEvents.ts'
import type { OrderEvent } from './orderEvents.ts'
import type { PositionEvent } from './positionEvents.ts'

/** Everything that can happen. */
export type Event = EngineEvent | MarketEvent | AccountEvent | OrderEvent | PositionEvent | ApiKeyEvent

/** The names of everything that can happen. */
export type EventType = Event['type']
