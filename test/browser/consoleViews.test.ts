// What each view of the console says, as one who hears it is told, in a text that is kept.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, GOLD, limitOrder, marketOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { PATIENTLY, signIn } from './consoleVenue.ts'

/** What differs from run to run: what the process and the machine measured. */
const MEASURED = /\b[\d.,]+ (?:ms|s|kB|MB|GB|MiB)\b/g

const heard = async (page: Page) =>
  (await page.locator('body').ariaSnapshot()).replace(MEASURED, '<measured>')

/** What is kept of every commit, and which fields it has. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('main .log details:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
  // What it moved is asked for.
  const asked = page.locator('.unfolded > div:last-child > h3:only-child')
  await expect.poll(() => asked.count(), PATIENTLY).toBe(0)
}

describe.skipIf(!hasChromium)('every view says what it did', () => {
  const shown = consoleInBrowser(async (venue) => {
    for (const body of [
      marketOrder({ stopTriggerPrice: '48000000000000', takeTriggerPrice: '60000000000000' }),
      marketOrder({ marketId: GOLD, direction: 'short', leverage: '2000000000' }),
      limitOrder(),
    ])
      expect((await venue.post('/orders', body)).status).toBe(201)
    await venue.operate({ type: 'adjustBalance', accountId: BOB.accountId, amount: '250000000' })
    await venue.tick('50100000000000')
  })

  test('of a trader', async () => {
    const { page, complaints } = await shown.open()
    const before = await heard(page)
    await signIn(page, ALICE.session)
    await page.waitForSelector('.connection.live')
    await page.waitForSelector('#evaluation-title')
    await page.getByLabel('Amount').fill('5')
    await expect.poll(() => heard(page), PATIENTLY).toMatch(/Liquidation/)
    await expect(`${before}\n\n${await heard(page)}\n`).toMatchFileSnapshot('kept/trader.txt')
    expect(complaints).toEqual([])
  })

  test('of an operator', async () => {
    const { page, complaints } = await shown.open()
    await signIn(page, OPERATOR)
    const views: string[] = []
    for (const [view, answers] of Object.entries({
      accounts: ['main tbody tr'],
      exposure: ['main .side-by-side section'],
      markets: ['main tbody [aria-expanded]'],
      log: ['main .log li', 'main .field:nth-child(2) option:nth-child(2)'],
      commands: ['form.command .field'],
      health: ['main .figures', 'main .nothing:text("None is configured.")'],
      [`accounts/${ALICE.accountId}`]: ['.life summary'],
    })) {
      await page.goto(`${shown.venue.venue.url}/console#${view}`)
      for (const answer of answers) await page.waitForSelector(answer, { state: 'attached' })
      if (view === 'log') await unfold(page)
      views.push(`# ${view}\n${await heard(page)}`)
    }
    await expect(`${views.join('\n\n')}\n`).toMatchFileSnapshot('kept/operator.txt')
    expect(complaints).toEqual([])
  })
})
