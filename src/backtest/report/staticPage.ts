/** The frame of a page without scripts, in the look of the report: nothing is fetched, and nothing can run. */
import { VERSION } from '../../version.ts'
import { pageStyles } from './assets.ts'
import { Html, html } from './html.ts'

export interface StaticPage {
  /** What kind of page it is: "Comparison". */
  readonly kind: string
  readonly title: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly cards: readonly (Html | null)[]
  /** What to bear in mind, a sentence. */
  readonly caution: string
}

export function staticPage({ kind, title, facts, cards, caution }: StaticPage): string {
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${kind.toLowerCase()}</title>
<style>${new Html(pageStyles())}</style>
</head>
<body>
<main>
<section class="title">
<p class="kicker">${kind}</p>
<h1>${title}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>
${cards.filter((card) => card !== null)}
</main>
<footer><p>margin-core ${VERSION}. ${caution}</p></footer>
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}
