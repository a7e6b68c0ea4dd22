// The workbench as a trader uses it: a run is started from the form, followed, opened, another one cancelled; for everyone, in both themes.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServedWorkbench, serveWorkbench } from '../../src/workbench/server.ts'
import { typed } from '../typed.ts'
import { folderOfInputs, program } from '../unit/workbench/research.ts'
import { Browser, hasChromium } from './chromium.ts'
import { DESK, PATIENTLY, PHONE, type Theme } from './consoleVenue.ts'
import { ENGINE, expectForEveryone } from './forEveryone.ts'

const WIDER = 'document.documentElement.scrollWidth > innerWidth'

describe.skipIf(!hasChromium)('the workbench', () => {
  let browser: Browser
  let home: string
  let served: ServedWorkbench
  beforeAll(async () => {
    home = folderOfInputs()
    await typed(['backtest', '--days', '1', '--seed', 'a', '--out', 'runs/a'], home)
    served = await serveWorkbench({ home, host: '127.0.0.1', port: 0, program: program(), atOnce: 1 })
    browser = await Browser.start({ offline: false })
  })
  afterAll(async () => {
    await browser?.end()
    await served?.close()
    rmSync(home, { recursive: true })
  })

  async function open({ theme = 'light' as Theme, size = DESK, before = '' } = {}) {
    const page = await browser.page()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(served.origin)) complaints.push(request.url())
    })
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(size)
    if (before !== '') await page.addInitScript(before)
    await page.goto(served.url)
    await page.waitForSelector('.results, .nothing')
    return { page, complaints }
  }

  // What it starts gives way to all else that runs: where three others are busy a second of its work takes ten and more, so there is little of it.
  test('starts a run, shows how far it is, opens its report beside another, and cancels one', {
    timeout: 240_000,
  }, async () => {
    const { page, complaints } = await open()
    expect(page.url()).toBe(`${served.origin}/#results`)
    await page.getByRole('link', { name: 'New run' }).click()
    const start = page.locator('form.start')
    await start.getByLabel('Strategy').selectOption('breakout')
    await start.getByLabel('Days', { exact: true }).fill('0')
    await start.getByRole('button', { name: 'Start' }).click()
    const fault = start
      .locator('.field', { has: page.getByLabel('Days', { exact: true }) })
      .getByRole('alert')
    await expect.poll(() => fault.textContent(), PATIENTLY).toMatch(/It has to be above zero/)
    await start.getByLabel('Days', { exact: true }).fill('1')
    expect(await fault.count()).toBe(0)
    await start.getByLabel('lookback').fill('60')
    await start.getByLabel('Save as').fill('runs/mine')
    expect(await start.locator('.command-line').textContent()).toBe(
      'npx margin-core backtest --strategy breakout --param lookback=60 --days 1 --out runs/mine',
    )
    await start.getByRole('button', { name: 'Start' }).click()
    const [report] = await Promise.all([
      page.context().waitForEvent('page'),
      start.getByRole('link', { name: 'Open report of runs/mine' }).click(),
    ])
    await report.waitForSelector('html[data-drawn]')
    expect(await report.locator('h1').textContent()).toMatch(/^breakout of 60 bars/)
    // It is of no origin, and reaches neither the token nor the workbench.
    expect(await report.evaluate('origin')).toBe('null')
    await report.close()

    await start.getByRole('button', { name: 'Odds' }).click()
    await start.getByLabel('Paths', { exact: true }).fill('100000')
    await start.getByLabel('Days of a path', { exact: true }).fill('1')
    await start.getByRole('button', { name: 'Start' }).click()
    const job = start.locator('.job', { hasText: 'runs/breakout-odds-1' })
    const patiently = { ...PATIENTLY, timeout: 150_000 }
    await expect.poll(() => job.locator('.hint').textContent(), patiently).toMatch(/of 100,000 paths/)
    // A page that is closed loses nothing.
    await page.reload()
    await page.getByRole('link', { name: 'New run' }).click()
    await job.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => job.locator('.hint').textContent(), PATIENTLY).toMatch(/^cancelled/)

    await page.getByRole('link', { name: 'Results' }).click()
    await page.getByLabel('Compare runs/a').check()
    await page.getByLabel('Compare runs/mine').check()
    const [compared] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Compare 2 runs' }).click(),
    ])
    await expect.poll(() => compared.locator('h1').textContent(), PATIENTLY).toBe('runs/a · runs/mine')
    await compared.close()
    expect(complaints.filter((said) => !said.includes('status of 400'))).toEqual([])
    await page.close()
  })

  test('by the keyboard alone a run is started', async () => {
    const { page } = await open()
    const walkTo = async (name: RegExp) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab')
        const focused = String(await page.evaluate(FOCUSED))
        if (name.test(focused)) return
      }
      throw new Error(`the keyboard does not reach ${name}`)
    }
    await walkTo(/^New run/)
    await page.keyboard.press('Enter')
    await walkTo(/^Days$/)
    await page.keyboard.type('1')
    await walkTo(/^Start$/)
    await page.keyboard.press('Enter')
    await page.waitForSelector('form.start .job.done')
    await page.close()
  })

  test.each<[Theme, typeof DESK]>([
    ['light', DESK],
    ['dark', PHONE],
  ])('is for everyone, %s on %o', async (theme, size) => {
    const { page, complaints } = await open({ theme, size, before: ENGINE })
    await expectForEveryone(page, true)
    expect(await page.evaluate(WIDER)).toBe(false)
    await page.getByRole('link', { name: 'New run' }).click()
    await page.getByRole('button', { name: 'Walk-forward' }).click()
    await expectForEveryone(page, true)
    await page.getByRole('button', { name: 'Odds' }).click()
    await expectForEveryone(page, false)
    expect(await page.evaluate(WIDER)).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })
})

const FOCUSED = `(() => {
  const { activeElement } = document
  const { outlineStyle } = getComputedStyle(activeElement)
  if (activeElement !== document.body && outlineStyle === 'none') return 'focus is not seen'
  return (activeElement.labels?.[0] ?? activeElement).textContent.trim()
})()`
