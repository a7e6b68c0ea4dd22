// A venue and a browser with the console on it, for the tests of a file.

import { afterAll, beforeAll } from 'vitest'
import type { VenueUnderTest } from '../host/venue.ts'
import { Browser } from './chromium.ts'
import { consoleVenue, type Opened, openConsole } from './consoleVenue.ts'

export interface ConsoleInBrowser {
  readonly browser: Browser
  readonly venue: VenueUnderTest
  readonly open: (terms?: Parameters<typeof openConsole>[2]) => Promise<Opened>
}

/** Begins before the first test that is described beside it, and ends after the last. `before`: what has happened on the venue by then. */
export function consoleInBrowser(
  before: (venue: VenueUnderTest) => Promise<void> = async () => {},
): ConsoleInBrowser {
  let browser: Browser
  let venue: VenueUnderTest
  beforeAll(async () => {
    browser = await Browser.start({ offline: false })
    venue = await consoleVenue()
    await before(venue)
  })
  afterAll(async () => {
    await browser?.end()
    await venue?.venue.close()
  })
  return {
    get browser() {
      return browser
    },
    get venue() {
      return venue
    },
    open: (terms) => openConsole(browser, venue, terms),
  }
}
