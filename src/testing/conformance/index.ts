/** Holding any host to the rules of the venue, over HTTP (docs/conformance.md). */
export type { Case } from './case.ts'
export { CASES } from './cases/index.ts'
export {
  type ConformanceOptions,
  type ConformanceProgress,
  conformance,
} from './conformance.ts'
export { type HostAddress, NoAnswer } from './conversation.ts'
export type { Answer, Asker, Difference, Exchange, Step } from './exchange.ts'
export type { ConformanceReport, Failure, RuleReport } from './report.ts'
export { conformanceText } from './reportText.ts'
export { NOT_ASKED, RULES, type RuleId } from './rules.ts'
export type { Script, Stage } from './script.ts'
export { NotAskable } from './subject.ts'
