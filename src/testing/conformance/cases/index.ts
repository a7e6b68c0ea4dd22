/** Every case, in the order of the rules. */
import type { Case } from '../case.ts'
import { CORNERS } from './corners.ts'
import { INTERFACE } from './interface.ts'
import { MONEY } from './money.ts'
import { PLATFORM } from './platform.ts'
import { TRIGGERS } from './triggers.ts'

/** What is asked of a host beside random programs, each under the rule it decides. */
export const CASES: readonly Case[] = [...MONEY, ...TRIGGERS, ...PLATFORM, ...INTERFACE, ...CORNERS]
