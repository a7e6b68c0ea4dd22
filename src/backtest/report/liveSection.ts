/** What befell a live run: refusals, lost connections, gaps, times at which nothing ran. */
import type { Incident } from '../live/incidents.ts'
import { count, moment, span } from '../output/presentation.ts'
import { type Html, html } from './html.ts'

export interface LiveSection {
  readonly venue: string
  /** How many there were of each kind, and how long they took in all. */
  readonly totals: readonly (readonly [kind: string, times: string, lasted: string])[]
  /** The last of them. */
  readonly incidents: readonly (readonly [
    at: string,
    kind: string,
    asset: string,
    lasted: string,
    what: string,
  ])[]
}

/** Rows on a page; the tables of a saved run have all. */
const MOST_ROWS = 200

export function liveSection(venue: string, incidents: readonly Incident[]): LiveSection {
  const kinds = [...new Set(incidents.map(({ kind }) => kind))]
  return {
    venue,
    totals: kinds.map((kind) => {
      const own = incidents.filter((incident) => incident.kind === kind)
      const ms = own.reduce((sum, incident) => sum + incident.ms, 0)
      return [kind, count(own.length), lasted(ms)]
    }),
    incidents: incidents
      .slice(-MOST_ROWS)
      .map(({ at, kind, asset, ms, what }) => [moment(at), kind, asset ?? '', lasted(ms), what]),
  }
}

function lasted(ms: number): string {
  return ms === 0 ? '' : ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : span(ms)
}

/** Nothing for a backtest. */
export function liveCard(section: LiveSection | null | undefined): Html | null {
  if (section === null || section === undefined) return null
  const { totals, incidents } = section
  return html`<section class="card" id="live" aria-label="What befell the run">
<div class="head"><h2>What befell the run</h2><span class="hint">none of it happens in a backtest</span></div>
${
  totals.length === 0
    ? html`<p class="prose">Nothing was refused, lost or missed.</p>`
    : html`<div class="scroll"><table><thead><tr><th>Kind</th><th class="number">Times</th><th class="number">Lasted</th></tr></thead>
<tbody>${totals.map(([kind, times, took]) => html`<tr><th scope="row">${kind}</th><td class="number">${times}</td><td class="number">${took}</td></tr>`)}</tbody></table></div>
<div class="scroll"><table><thead><tr><th>Begun (UTC)</th><th>Kind</th><th>Market</th><th class="number">Lasted</th><th>What</th></tr></thead>
<tbody>${incidents.map(
        ([at, kind, asset, took, what]) =>
          html`<tr><td>${at}</td><td>${kind}</td><td>${asset}</td><td class="number">${took}</td><td>${what}</td></tr>`,
      )}</tbody></table></div>`
}
</section>`
}
