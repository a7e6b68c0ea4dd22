// The start page and the API description as a reader has them before them: in both themes, below a prefix, with a request tried.

import Fastify, { type FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marginTradingApi } from '../../src/host/index.ts'
import { createEngine } from '../../src/index.ts'
import { ALICE, type VenueUnderTest } from '../host/venue.ts'
import { Browser, hasChromium } from './chromium.ts'
import { consoleVenue, DESK, PATIENTLY, PHONE, type Theme } from './consoleVenue.ts'
import { faintIn } from './faint.ts'

/** Words in code that a word of the next line covers: its box reaches above the line it stands in. */
const COVERED = `[...document.querySelectorAll('.opblock-description code')].filter((code) => {
  const boxes = [...code.getClientRects()]
  return [...code.parentElement.querySelectorAll('code')].some((other) => other !== code && [...other.getClientRects()].some((a) =>
    boxes.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)))
}).map((code) => code.textContent)`

/** Names in tables that a line ends in the middle of. */
const BROKEN = `[...document.querySelectorAll('.opblock-description :is(th, td) code')]
  .filter((code) => code.getClientRects().length > 1).map((code) => code.textContent)`

interface Opened {
  readonly page: Page
  readonly asked: readonly string[]
  /** What the page says is wrong, and what it was refused. */
  readonly complaints: readonly string[]
}

describe.skipIf(!hasChromium)('the pages that describe the API', () => {
  let browser: Browser
  let venue: VenueUnderTest
  let embedder: FastifyInstance
  let embedded: string
  beforeAll(async () => {
    browser = await Browser.start({ offline: false })
    venue = await consoleVenue()
    embedder = Fastify()
    await embedder.register(marginTradingApi, { engine: createEngine({ at: 0 }), prefix: '/trading' })
    embedded = await embedder.listen({ port: 0 })
  })
  afterAll(async () => {
    await browser?.end()
    await venue?.venue.close()
    await embedder?.close()
  })

  async function open(url: string, colorScheme: Theme = 'light'): Promise<Opened> {
    const page = await browser.page()
    const [asked, complaints]: [string[], string[]] = [[], []]
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('response', (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`)
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(DESK)
    await page.goto(url, { waitUntil: 'load' })
    return { page, asked, complaints }
  }

  const unfold = async (page: Page, operation: string) => {
    await page.locator(`[id$="-${operation}"] .opblock-summary-control`).click()
    await page.locator(`[id$="-${operation}"] .opblock-body`).waitFor()
  }

  test('what is said of an order stands out and nothing of it is covered, light and dark', async () => {
    const { page, complaints } = await open(`${venue.venue.url}/docs`)
    await unfold(page, 'placeOrder')
    const description = '[id$="-placeOrder"] .opblock-description'
    expect(await page.locator(description).textContent()).toContain('quote (USD) to spend')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(DESK)
      expect(await page.evaluate(faintIn(description)), colorScheme).toEqual([])
      expect(await page.evaluate(COVERED)).toEqual([])
      await page.setViewportSize(PHONE)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      expect(await page.evaluate(BROKEN)).toEqual([])
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)('the start page, %s', async (theme) => {
    const { page, complaints } = await open(`${venue.venue.url}/`, theme)
    expect(await page.evaluate(faintIn('body'))).toEqual([])
    const paper = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    expect(paper === 'rgb(255, 255, 255)').toBe(theme === 'light')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a request is tried with a key, and its answer shown', async () => {
    const { page, complaints } = await open(`${venue.venue.url}/docs`)
    await page.locator('.btn.authorize').click()
    await page.locator('#auth-bearer-value').first().fill(ALICE.key)
    await page.locator('.auth-btn-wrapper .authorize').first().click()
    await page.locator('.auth-btn-wrapper .btn-done').first().click()
    await unfold(page, 'accounts')
    await page.locator('[id$="-accounts"] .execute').click()
    const answer = page.locator('[id$="-accounts"] .live-responses-table')
    await expect.poll(() => answer.textContent(), PATIENTLY).toContain(ALICE.accountId)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('below a prefix everything it loads and asks is below it too', async () => {
    const { page, asked, complaints } = await open(`${embedded}/trading/docs`)
    await unfold(page, 'live')
    await page.locator('[id$="-live"] .execute').click()
    const answer = page.locator('[id$="-live"] .live-responses-table')
    await expect.poll(() => answer.textContent(), PATIENTLY).toContain('"status": "ok"')
    expect(asked.filter((url) => !url.startsWith(`${embedded}/trading/`))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })
})
