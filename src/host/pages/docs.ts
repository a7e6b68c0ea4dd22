/** The API description in a browser: Swagger UI as its package ships it, nothing from elsewhere, in the light of the reader. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Margin Trading API</title>
<link rel="icon" href="console/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<main id="api"><a href="openapi.json">openapi.json</a></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</html>
`

/** Authorization is kept for the tab alone; requests go to this host. */
const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

const STYLES = `body { margin: 0 }
html.dark-mode { background: #1c2022; color-scheme: dark }
.swagger-ui .renderedMarkdown table :is(th, td) { font-size: 13px }
.swagger-ui .renderedMarkdown :is(p, td) { line-height: 1.9 }
.swagger-ui .renderedMarkdown code { padding: 1px 5px; overflow-wrap: anywhere }
.swagger-ui .renderedMarkdown table { display: block; overflow-x: auto }
.swagger-ui .renderedMarkdown :is(th, td) code { white-space: nowrap }
.swagger-ui .renderedMarkdown td:nth-child(2) { min-width: 9em }
.swagger-ui .response-col_links { display: none }
.swagger-ui :is(.responses-inner, .table-container) { overflow-x: auto }
html.dark-mode .swagger-ui :is(.renderedMarkdown td, .header-col) { color: #e4e6e6 }
`

/** The page and its scripts run what comes from this host, and talk to this host. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What the page loads, by its name below `/docs`: as bytes, which everybody who reads them shares, however slowly. */
export const DOCS_FILES = {
  'page.js': { type: 'text/javascript; charset=utf-8', bytes: async () => Buffer.from(SCRIPT) },
  'page.css': { type: 'text/css; charset=utf-8', bytes: async () => Buffer.from(STYLES) },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', bytes: () => shipped('swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    bytes: () => shipped('swagger-ui-bundle.js'),
  },
} as const

const read = new Map<string, Promise<Buffer>>()

/** A file of Swagger UI, read once. */
function shipped(name: string): Promise<Buffer> {
  const known = read.get(name)
  if (known !== undefined) return known
  const manifest = createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')
  const bytes = readFile(path.join(path.dirname(manifest), 'static', name))
  read.set(name, bytes)
  return bytes
}
