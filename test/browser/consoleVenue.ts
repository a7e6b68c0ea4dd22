// A venue whose time the test moves, and the console on it as a reader has it open.

import type { Page } from 'playwright-core'
import { ALICE, account, CONFIGURATION, startVenue, type VenueUnderTest } from '../host/venue.ts'
import type { Browser } from './chromium.ts'

export const DESK = { width: 1320, height: 900 }
export const TABLET = { width: 900, height: 800 }
export const PHONE = { width: 375, height: 812 }
export type Theme = 'light' | 'dark'

/** Where charts draw a frame later than a busy machine has time. */
export const PATIENTLY = { timeout: 60_000, interval: 50 }

export const consoleVenue = (): Promise<VenueUnderTest> =>
  startVenue({
    ...CONFIGURATION,
    markets: CONFIGURATION.markets.map((market) => ({ ...market, minStopDistance: '10000000' })),
    accounts: [
      account(ALICE, { maxDailyLoss: '50000000', maxTotalLoss: '100000000' }),
      ...CONFIGURATION.accounts.slice(1),
    ],
  })

export interface Opened {
  readonly page: Page
  /** Errors and warnings of the page, and everything it asked of others than the venue. */
  readonly complaints: string[]
}

/** `before`: a script that runs before those of the page. */
export async function openConsole(
  browser: Browser,
  venue: VenueUnderTest,
  { theme = 'light' as Theme, size = DESK, before = '' } = {},
): Promise<Opened> {
  const page = await browser.page()
  await page.addInitScript(before)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(venue.venue.url)) complaints.push(request.url())
  })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize(size)
  await page.goto(`${venue.venue.url}/console`)
  return { page, complaints }
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.fill('input[name=token]', token)
  await page.click('button[type=submit]')
}

/** How many pixels the page is wider than its window. */
export const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
