/** The frame of the pages beside a run's report, in its look: nothing is fetched, and one small script sorts tables and turns the light. */
import { VERSION } from '../../version.ts'
import { pageStyles, studyScript } from './assets.ts'
import { Html, html } from './html.ts'
import { inlineScript } from './inlineScript.ts'

export interface StaticPage {
  /** What kind of page it is: "Comparison". */
  readonly kind: string
  readonly title: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly cards: readonly (Html | null)[]
  /** What to bear in mind, a sentence. */
  readonly caution: string
  /** Name and version of the software; default: this one's. */
  readonly software?: string
}

export function staticPage(content: StaticPage): string {
  const { kind, title, facts, cards, caution, software = `margin-core ${VERSION}` } = content
  const script = inlineScript(studyScript(), 'module')
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${script.hash}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${kind.toLowerCase()}</title>
<style>${new Html(pageStyles())}</style>
</head>
<body>
<header class="bar">
<span class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 19V9m5 10V5m5 14v-7m5 7V8" /></svg>margin-core</span>
<button type="button" id="theme" class="quiet" aria-label="Switch between light and dark" title="Light or dark">◐</button>
</header>
<main>
<section class="title">
<p class="kicker">${kind}</p>
<h1>${title}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>
${cards.filter((card) => card !== null)}
</main>
<footer><p>${software}. ${caution}</p></footer>
${script.element}
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}
