/**
 * A run as a list of intents: what somebody wants, with the details left to dice that are thrown against the state at
 * that moment. An intent means something in every state, so that any part of a list is a list again: long runs shrink
 * well.
 */
import { closeNow, protect, scalp } from './aim/closing.ts'
import { malformed } from './aim/malformedIntent.ts'
import { enter } from './aim/placement.ts'
import {
  adjustBalance,
  flipSwitch,
  forceClose,
  fundingRate,
  marketParameters,
  marketStatus,
  openAccount,
  stopAccount,
  unfreeze,
  wait,
  weeklyClose,
} from './aim/platform.ts'
import { tick } from './aim/price.ts'
import type { Inputs, Scene } from './aim/scene.ts'
import { trespass } from './aim/trespass.ts'
import { cancel, changeMargin, closeAll, edit, retry } from './aim/upkeep.ts'

/** Every kind of intent, and how often it comes up among the others. */
export const KINDS = {
  tick: [280, tick],
  enter: [230, enter],
  closeNow: [40, closeNow],
  scalp: [50, scalp],
  protect: [80, protect],
  edit: [70, edit],
  cancel: [20, cancel],
  changeMargin: [60, changeMargin],
  closeAll: [5, closeAll],
  retry: [20, retry],
  wait: [25, wait],
  malformed: [25, malformed],
  trespass: [25, trespass],
  marketStatus: [16, marketStatus],
  fundingRate: [8, fundingRate],
  marketParameters: [8, marketParameters],
  forceClose: [4, forceClose],
  weeklyClose: [2, weeklyClose],
  stopAccount: [4, stopAccount],
  unfreeze: [12, unfreeze],
  adjustBalance: [14, adjustBalance],
  flipSwitch: [14, flipSwitch],
  openAccount: [14, openAccount],
} as const satisfies Record<string, readonly [number, (scene: Scene) => Inputs]>

/** The kinds of input there are. */
export type IntentKind = keyof typeof KINDS

/** One step of a program: what kind of input is meant, and the rolls that decide the rest when its turn comes. */
export interface Intent {
  readonly kind: IntentKind
  /** Whole numbers from 0, {@link ROLLS} of them. */
  readonly dice: readonly number[]
}

/** Steps one after another; played by {@link drive}. */
export type Program = readonly Intent[]

/** Rolls per intent: as many as the most demanding kind uses, the time of it included. */
export const ROLLS = 18

/** The inputs an intent stands for in a scene. */
export function interpret(intent: Intent, scene: Scene): Inputs {
  return KINDS[intent.kind][1](scene)
}
