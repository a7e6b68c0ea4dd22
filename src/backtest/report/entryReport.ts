/** A test of entries as one HTML file: what they came to, among what they come to where chance decides. */

import type { ChanceTest } from '../entries/chanceTest.ts'
import { barsText, entryLines, pText } from '../entries/entryLines.ts'
import type { EntrySignificance, EntryTest } from '../entries/entrySignificance.ts'
import { count, share } from '../output/presentation.ts'
import type { RunPlan } from '../plan/plan.ts'
import { barChart } from './barChart.ts'
import { histogram, MOST_BARS } from './histogram.ts'
import { type Html, html } from './html.ts'
import { planFacts } from './planFacts.ts'
import { staticPage } from './staticPage.ts'

/** What {@link renderEntryReport} draws. */
export interface EntryReport {
  readonly strategy: string
  readonly plan: RunPlan
  readonly found: EntrySignificance
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const found = await entrySignificance({ plan, draws: 19, holds: [30], workers: 1 })
 * renderEntryReport({ strategy: 'ema-cross', plan, found }).includes('</html>') // → true
 * ```
 *
 * @throws PlanError for a period of the plan that is none.
 */
export function renderEntryReport({ strategy, plan, found }: EntryReport): string {
  return staticPage({
    kind: 'Entries',
    title: strategy,
    facts: [['Entries', count(found.entries)], ['Bars', count(found.bars)], ...planFacts(plan, [])],
    cards: [evidenceCard(found), ...found.tests.flatMap(testCards)],
    caution: 'What is unlikely to be chance in this data may still be gone in other data.',
  })
}

function evidenceCard(found: EntrySignificance): Html {
  return html`<section class="card" id="evidence" aria-label="Evidence">
<div class="head"><h2>What the entries are worth</h2></div>
${entryLines(found).map((sentence) => html`<p class="prose">${sentence}</p>`)}
</section>`
}

function testCards({ hold, mean, times, sides }: EntryTest): (Html | null)[] {
  return [
    chanceCard(`At other times, held for ${barsText(hold)}`, mean, times),
    chanceCard(`With other sides, held for ${barsText(hold)}`, mean, sides),
  ]
}

function chanceCard(title: string, mean: number, test: ChanceTest | null): Html | null {
  if (test === null) return null
  const label = `${title}: ${count(test.draws)} draws from ${share(Math.min(...test.drawn), 3)} to ${share(Math.max(...test.drawn), 3)}, the entries as they were at ${share(mean, 3)}`
  const chart = barChart(label, histogram(test.drawn, MOST_BARS, [mean]), (value) => share(value, 3), mean)
  const rows: [string, string][] = [
    ['The entries as they were', share(mean, 3)],
    ['Mean of the draws', share(test.mean, 3)],
    [`As good or better, of ${test.draws}`, count(test.asGood)],
    ['p', pText(test)],
  ]
  return html`<section class="card" aria-label="${title}">
<div class="head"><h2>${title}</h2><span class="hint">how many draws brought how much an entry, after costs; the line: the entries as they were</span></div>
${chart}
<div class="scroll"><table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${value}</td></tr>`)}</tbody></table></div>
</section>`
}
