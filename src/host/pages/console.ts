/** The console as a browser first gets it: an empty page that loads everything from this host. */
export const CONSOLE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>margin-core console</title>
<link rel="icon" href="console/icon.svg">
<link rel="stylesheet" href="console/style.css">
<script type="module" src="console/console.js"></script>
<div id="console"><noscript>The console needs JavaScript. Everything it shows is served under <a href="docs">docs</a> as well.</noscript></div>
</html>
`

/** Only files of this host run and style the page, and it talks to this host alone; it is shown in no other page. */
export const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
