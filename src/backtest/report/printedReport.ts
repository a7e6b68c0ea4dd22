/** What a command printed, as one HTML file, for commands that draw nothing. */
import type { RunPlan } from '../plan/plan.ts'
import { html } from './html.ts'
import { planFacts } from './planFacts.ts'
import { staticPage } from './staticPage.ts'

export interface PrintedReport {
  /** What it is: "Look-ahead". */
  readonly kind: string
  readonly plan: RunPlan
  readonly lines: readonly string[]
  /** What to bear in mind, a sentence. */
  readonly caution: string
}

/** @throws PlanError for a period of the plan that is none. */
export function renderPrinted({ kind, plan, lines, caution }: PrintedReport): string {
  return staticPage({
    ...{ kind, title: plan.strategy, facts: planFacts(plan, []), caution },
    cards: [
      html`<section class="card" aria-label="${kind}"><div class="scroll" role="region" aria-label="What was found" tabindex="0"><pre>${lines.join('\n')}</pre></div></section>`,
    ],
  })
}
