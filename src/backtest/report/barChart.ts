/** A histogram as a drawing that needs no script: losses and gains in their colours, its letters beside it. */
import type { Histogram } from './histogram.ts'
import { type Html, html } from './html.ts'

const [WIDTH, HEIGHT] = [1000, 160]

/**
 * `text` words a bound; null where there is nothing to draw.
 *
 * @param mark a value within the bars at which a line stands.
 */
export function barChart(
  label: string,
  bars: Histogram | null,
  text: (value: number) => string,
  mark?: number,
): Html | null {
  if (bars === null) return null
  const { from, width, count } = bars
  const most = Math.max(...count)
  const step = WIDTH / count.length
  const ends = [from[0] ?? 0, (from.at(-1) ?? 0) + width]
  const across = (value: number) => round(((value - (ends[0] ?? 0)) / (width * count.length)) * WIDTH)
  const middle = ((ends[0] ?? 0) + (ends[1] ?? 0)) / 2
  return html`<div class="chart low" role="img" aria-label="${label}">
<div class="levels"><span style="top:0%">${String(most)}</span><span style="top:100%">0</span></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${count.map(
    (height, bar) =>
      height === 0
        ? html``
        : html`<rect class="${(from[bar] ?? 0) < 0 ? 'loss' : 'gain'}" x="${round(bar * step + step * 0.08)}" width="${round(step * 0.84)}" y="${round(HEIGHT - (height / most) * HEIGHT)}" height="${round((height / most) * HEIGHT)}"><title>${text(from[bar] ?? 0)} to ${text((from[bar] ?? 0) + width)}: ${height}</title></rect>`,
  )}${mark === undefined ? null : html`<line class="mark" x1="${across(mark)}" x2="${across(mark)}" y1="0" y2="${HEIGHT}"><title>${text(mark)}</title></line>`}</svg>
<div class="moments"><span>${text(ends[0] ?? 0)}</span><span>${text(middle)}</span><span>${text(ends[1] ?? 0)}</span></div>
</div>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
