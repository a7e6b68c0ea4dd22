/** What a browser loads of the workbench. */
import { pageFiles } from '../host/pages/pageFiles.ts'

/** By their names, with the type each is sent as. */
export const WORKBENCH_FILES = {
  'workbench.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'licences.txt': 'text/plain; charset=utf-8',
} as const

export type WorkbenchFileName = keyof typeof WORKBENCH_FILES

/** A file, read or made once. */
export const workbenchFile = pageFiles<WorkbenchFileName>(import.meta.url, async (sources) =>
  (await import('./pageBundle.ts')).bundleWorkbench(sources),
)

export const WORKBENCH_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>margin-core workbench</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/workbench.js"></script>
<div id="workbench"><noscript>The workbench needs JavaScript. What it starts are commands: margin-core --help lists them.</noscript></div>
</html>
`

/** Only files of this server run and style the page, and it talks to this server alone; it is shown in no other page. */
export const WORKBENCH_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Pages of results are files, which anybody may have written: each is shown as one of no origin, which can neither ask this server
 * for anything nor see what the workbench keeps, and which loads nothing.
 */
export const RESULT_POLICY =
  "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
