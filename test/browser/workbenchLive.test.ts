// A live run as a trader has it from the page: begun once it is meant, watched, stopped with everything closed, opened and gone on with; for everyone.

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServedWorkbench, serveWorkbench } from '../../src/workbench/server.ts'
import { ALICE, startVenue, type VenueUnderTest } from '../host/venue.ts'
import { folderOfInputs, program } from '../unit/workbench/research.ts'
import { Browser, hasChromium } from './chromium.ts'
import { DESK, PATIENTLY, PHONE, type Theme } from './consoleVenue.ts'
import { ENGINE, expectForEveryone } from './forEveryone.ts'

const WIDER = 'document.documentElement.scrollWidth > innerWidth'
const OPENS = `export default () => ({ name: 'opens', async onTick({ asset, price }, context) {
  if (context.positions(asset).length + context.orders(asset).length > 0) return
  await context.open({ asset, direction: 'long', sizeBy: { margin: '10%' }, leverage: '5', stopLoss: price - price / 50n })
  await context.open({ asset, direction: 'long', sizeBy: { margin: '1%' }, leverage: '2000' })
} })
`

describe.skipIf(!hasChromium)('a live run from the workbench', () => {
  let browser: Browser
  let home: string
  let venue: VenueUnderTest
  let served: ServedWorkbench
  let without: ServedWorkbench
  beforeAll(async () => {
    browser = await Browser.start({ offline: false })
  })
  afterAll(() => browser?.end())
  // Each of its own, so that a second try does not meet what the first has left.
  beforeEach(async () => {
    home = folderOfInputs()
    writeFileSync(path.join(home, 'opens.mjs'), OPENS)
    writeFileSync(path.join(home, 'venue.key'), `${ALICE.key}\n`, { mode: 0o600 })
    venue = await startVenue()
    const options = { home, host: '127.0.0.1', port: 0, program: program(), atOnce: 1 }
    served = await serveWorkbench({ ...options, venues: [venue.venue.url] })
    without = await serveWorkbench({ ...options, venues: [] })
  })
  afterEach(async () => {
    await Promise.all([served?.close(), without?.close()])
    await venue?.venue.close()
    rmSync(home, { recursive: true })
  })

  async function open(of: ServedWorkbench, theme: Theme = 'light', size = DESK) {
    const page = await browser.page()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(size)
    await page.addInitScript(ENGINE)
    await page.goto(of.url)
    await page.waitForSelector('.results, .nothing')
    await page.getByRole('link', { name: 'New run', exact: true }).click()
    const start = page.locator('form.start')
    await start.getByRole('button', { name: 'Live' }).click()
    return { page, start, complaints }
  }

  test('the form says that it trades nowhere where the workbench was not started for it', async () => {
    const { page, start } = await open(without)
    expect(await start.getByRole('alert').textContent()).toMatch(/^This workbench trades nowhere/)
    expect(await start.getByLabel('Key file').count()).toBe(0)
    await start.getByRole('button', { name: 'Start' }).click()
    await expect.poll(() => start.locator('.refusal').count(), PATIENTLY).toBeGreaterThan(0)
    expect(without.live).toEqual([])
    await page.close()
  })

  test.each<[Theme, typeof DESK]>([
    ['light', DESK],
    ['dark', PHONE],
  ])(
    'is begun once it is meant, watched and stopped, %s on %o',
    { timeout: 240_000 },
    async (theme, size) => {
      const { page, start, complaints } = await open(served, theme, size)
      const journal = `opens-${theme}.jsonl`
      await start.getByLabel('Strategy').selectOption('./opens.mjs')
      await start.getByLabel('At its end').selectOption('flatten')
      await start.getByLabel('Key file').fill('venue.key')
      await start.getByLabel('Journal', { exact: true }).fill(journal)
      expect(await start.locator('.command-line').textContent()).toBe(
        `npx margin-core backtest --strategy ./opens.mjs --live ${venue.venue.url} --key-file venue.key --on-exit flatten --journal ${journal}`,
      )
      // A key pressed in a field trades nothing.
      await start.getByLabel('Journal', { exact: true }).press('Enter')
      expect(await start.getByRole('alert').textContent()).toMatch(/say that this is meant/)
      expect(served.live).toEqual([])
      await start.getByLabel(/^Trade on/).check()
      // What is changed is agreed to anew.
      await start.getByLabel('Bars, seconds').fill('30')
      expect(await start.getByLabel(/^Trade on/).isChecked()).toBe(false)
      await start.getByLabel(/^Trade on/).check()
      expect(await start.locator('.start-side').textContent()).toMatch(
        /cancels its orders and closes its positions/,
      )
      await expectForEveryone(page, true)
      await start.getByRole('button', { name: 'Start' }).click()

      const run = page.locator('.live-run', { has: page.getByRole('heading', { name: journal }) })
      await expect.poll(() => run.textContent(), PATIENTLY).toMatch(/invalid_leverage/)
      expect(page.url()).toBe(`${served.origin}/#live`)
      const said = await run.innerText()
      for (const part of [
        /Equity/,
        /Free/,
        /BTC long/,
        /Stop-loss/,
        /49,000\.00/,
        /open, market/,
        /invalid_leverage/,
      ])
        expect(said).toMatch(part)
      await expectForEveryone(page, true)
      expect(await page.evaluate(WIDER)).toBe(false)
      await run.getByRole('button', { name: 'Stop and close everything' }).click()
      await expect
        .poll(() => run.textContent(), PATIENTLY)
        .toMatch(/^.*ended · .*Nothing is open\..*No order rests\./s)
      expect((await venue.get(`/positions/${ALICE.accountId}/active`)).body).toEqual([])
      expect((await venue.get(`/orders/${ALICE.accountId}/active`)).body).toEqual([])

      const [report] = await Promise.all([
        page.context().waitForEvent('page'),
        run.getByRole('link', { name: `Open report of ${journal}` }).click(),
      ])
      await report.waitForSelector('html[data-drawn]')
      expect(await report.locator('h1').textContent()).toBe('opens')
      await report.close()

      await page.getByRole('link', { name: 'Results', exact: true }).click()
      // The hidden list of live runs has one of that name too.
      await page
        .locator('.results')
        .getByRole('button', { name: `Go on with ${journal}` })
        .click()
      expect(await start.locator('.command-line').textContent()).toBe(
        `npx margin-core backtest --strategy ./opens.mjs --asset BTC --interval 30 --live ${venue.venue.url} --journal ${journal}`,
      )
      expect(await page.content()).not.toContain(ALICE.key)
      expect(complaints).toEqual([])
      await page.close()
    },
  )
})
