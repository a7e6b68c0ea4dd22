// The built site as a reader has it who is offline: every link leads to a page and to a heading of it, the search finds, and the
// playground plays. The last two need Chromium, and are left out, which is said, where there is none.
//
//   npm run site -- --check

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { Browser, hasChromium } from '../test/browser/chromium.ts'

const ADDRESS = 'http://site.invalid'
const dist = path.join(import.meta.dirname, 'dist')

const problems = [...deadLinks(), ...(hasChromium ? await inBrowser() : [])]
for (const problem of problems) console.error(`✗ ${problem}`)
if (problems.length > 0) process.exitCode = 1
else console.log(`✓ links${hasChromium ? ', search and playground, without a network' : ''}`)

function deadLinks(): string[] {
  const pages = new Map(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(path.join(dist, file), 'utf8')]),
  )
  const headings = new Map([...pages].map(([file, text]) => [file, new Set(attributes(text, 'id'))]))
  return [...pages].flatMap(([file, text]) =>
    [...new Set([...attributes(text, 'href'), ...attributes(text, 'src')])]
      .filter((link) => !/^(\w+:|\/\/)/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `${ADDRESS}/${file}`)
        const found = fileAt(pathname)
        const heading = decodeURIComponent(hash.slice(1))
        return found === null || (heading !== '' && headings.get(found)?.has(heading) === false)
      })
      .map((link) => `${file} has a dead link: ${link}`),
  )
}

function attributes(html: string, name: string): string[] {
  const tags = html.match(/<[a-z][^>]*>/gi)?.join('') ?? '' // code that is shown has tags too, with &lt;
  return [...tags.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    (value as string).replaceAll('&amp;', '&'),
  )
}

/** What a server of files answers with, beside the folder; null where it has nothing. */
function fileAt(pathname: string): string | null {
  const at = decodeURIComponent(pathname).slice(1)
  const found = [at, `${at}.html`, path.join(at, 'index.html')].find((file) => {
    const stat = statSync(path.join(dist, file), { throwIfNoEntry: false })
    return stat?.isFile()
  })
  return found ?? null
}

async function inBrowser(): Promise<string[]> {
  const problems: string[] = []
  const browser = await Browser.start()
  try {
    const page = await browser.page()
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
    await page.route('**/*', async (route) => {
      const { origin, pathname } = new URL(route.request().url())
      const file = origin === ADDRESS ? fileAt(pathname) : null
      if (file !== null) return route.fulfill({ path: path.join(dist, file) })
      problems.push(`${page.url()} asks for ${route.request().url()}`)
      return route.abort()
    })
    await search(page)
    await play(page)
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  } finally {
    await browser.end()
  }
  return problems
}

async function search(page: Page): Promise<void> {
  await page.goto(`${ADDRESS}/`)
  await page.locator('.VPNavBarSearch button').click()
  await page.locator('#localsearch-input').fill('liquidation price')
  await page.locator('#localsearch-list a').first().click()
  await page.waitForURL((url) => url.pathname.length > 1)
  await page
    .getByText(/liquidation price/i)
    .first()
    .waitFor()
}

/** A long is opened, and a fall to below the level that the page shows ends it. */
async function play(page: Page): Promise<void> {
  await page.goto(`${ADDRESS}/playground`)
  const events = page.locator('.events')
  await page.getByRole('button', { name: 'open', exact: true }).click()
  await page.getByText(/^liquidation [\d,.]+$/).waitFor()
  await page.getByText('no profit counts beyond the reference').waitFor()
  const before = await page.locator('.hash').textContent()
  for (const _ of [1, 2, 3]) await page.getByRole('button', { name: '-5%', exact: true }).click()
  await events.getByText('liquidate', { exact: true }).waitFor()
  if ((await page.locator('.playground table').count()) > 0)
    throw new Error('playground: the position is still open')
  if ((await page.locator('.hash').textContent()) === before)
    throw new Error('playground: the state is as it was')
}
