// Compares the public surface with the pages of docs/api and those of docs that are written from tables, or writes them.
//
//   npm run api                 names what has changed, and fails when something has
//   npm run api -- --accept     the surface of today becomes the one that is promised

import { acceptPages, surfaceChanges, todaysPages } from './pages.ts'

const pages = todaysPages()
const changes = surfaceChanges(pages)
for (const change of changes) console.log(change)
if (process.argv.includes('--accept')) acceptPages(pages)
else if (changes.length > 0) {
  console.error('The public surface has changed. If it is meant to: npm run api -- --accept')
  process.exitCode = 1
}
