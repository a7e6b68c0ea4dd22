// The documentation as a site that needs no network: `npm run site` writes site/dist, which any server of files serves.
//
//   npm run site [-- --check] [--serve]

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writePages } from './pages.ts'

const site = import.meta.dirname
const vitepress = path.join(site, 'node_modules/vitepress/bin/vitepress.js')
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: site, stdio: 'inherit' })

// Nothing of it has to be compiled or downloaded by a script of its own. Not `npm ci`: where the registry keeps the packages of
// other platforms from us, it takes the lock for one that does not fit.
if (!existsSync(vitepress)) run('npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund')
writePages(path.join(site, '.pages'))
run(process.execPath, vitepress, 'build', '.')
console.log(`the site is in ${path.relative(process.cwd(), path.join(site, 'dist'))}`)
if (process.argv.includes('--check')) await import('./check.ts')
if (process.argv.includes('--serve')) run(process.execPath, vitepress, 'preview', '.')
