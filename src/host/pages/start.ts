/** The start page: where everything is. */
import { VERSION } from '../../version.ts'

export const START_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>margin-core</title>
<link rel="icon" href="console/icon.svg">
<style>
  html { background: Canvas; color: CanvasText }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
  code { background: rgb(128 128 128 / .15); padding: .1em .3em; border-radius: 3px }
</style>
<h1>margin-core</h1>
<p>This host serves the Margin Trading API, revision 4209b13, with margin-core ${VERSION}.</p>
<ul>
  <li><a href="console">Console</a>: trade and operate in the browser</li>
  <li><a href="docs">API documentation</a></li>
  <li><a href="openapi.json">API description</a> (OpenAPI 3.1)</li>
</ul>
<p>Every other request needs <code>Authorization: Bearer &lt;API key&gt;</code>. The host printed a key where it was started.</p>
`
