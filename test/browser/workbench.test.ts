// The workbench as a trader uses it: a run is started from the form, followed, opened, another one cancelled; for everyone, in both themes.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServedWorkbench, serveWorkbench } from '../../src/workbench/server.ts'
import { typed } from '../typed.ts'
import { folderOfInputs, program } from '../unit/workbench/research.ts'
import { Browser, hasChromium } from './chromium.ts'
import { DESK, PATIENTLY, PHONE, type Theme } from './consoleVenue.ts'
import { ENGINE, expectForEveryone } from './forEveryone.ts'

const WIDER = 'document.documentElement.scrollWidth > innerWidth'

describe.skipIf(!hasChromium)('the workbench', () => {
  let browser: Browser
  let made: string
  let home: string
  let served: ServedWorkbench
  beforeAll(async () => {
    made = folderOfInputs()
    for (const [name, text] of Object.entries(LOOKED_AT)) writeFileSync(path.join(made, `${name}.mjs`), text)
    await typed(['backtest', '--days', '1', '--seed', 'a', '--out', 'runs/a'], made)
    browser = await Browser.start({ offline: false })
  })
  afterAll(async () => {
    await browser?.end()
    rmSync(made, { recursive: true })
  })
  // Each of its own, so that a second try does not meet what the first has left.
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'workbench-'))
    cpSync(made, home, { recursive: true })
    served = await serveWorkbench({
      home,
      host: '127.0.0.1',
      port: 0,
      program: program(),
      atOnce: 1,
      venues: [],
    })
  })
  afterEach(async () => {
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

  test.each<[Theme, typeof DESK]>([
    ['light', DESK],
    ['dark', PHONE],
  ])(
    'of a look-ahead it says whether it found something, nothing, or failed, %s on %o',
    {
      timeout: 400_000,
    },
    async (theme, size) => {
      const { page, complaints } = await open({ theme, size, before: ENGINE })
      await page.getByRole('link', { name: 'New run' }).click()
      const start = page.locator('form.start')
      await start.getByRole('button', { name: 'Look-ahead' }).click()
      await start.getByLabel('Days', { exact: true }).fill('1')
      await start.getByLabel('Cuts of the data').fill('2')
      for (const [strategy, said, tells, shown] of [
        ['guesses', /^done, and something was found/, null, /does not do the same twice/],
        ['honest', /^done(?!.*found)/, null, /does the same twice/],
        ['breaks', /^failed/, /it is broken/, null],
      ] as const) {
        const out = `runs/${strategy}-${theme}`
        await start.getByLabel('Strategy').selectOption(`./${strategy}.mjs`)
        await start.getByLabel('Save as').fill(out)
        await start.getByRole('button', { name: 'Start' }).click()
        const job = start.locator('.job', { hasText: out })
        await expect.poll(() => job.locator('.hint').textContent(), { timeout: 120_000 }).toMatch(said)
        const hint = await job.locator('.hint').textContent()
        if (strategy === 'honest') expect(hint).not.toMatch(/found/)
        // What was found is no mistake of the run, and what broke it is told.
        expect([strategy, await job.locator('.refusal').count()]).toEqual([strategy, tells === null ? 0 : 1])
        if (tells !== null) expect(await job.locator('.refusal').textContent()).toMatch(tells)
        const link = job.getByRole('link', { name: `Open report of ${out}` })
        if (shown === null) expect(await link.count()).toBe(0)
        else {
          const [report] = await Promise.all([page.context().waitForEvent('page'), link.click()])
          await expect.poll(() => report.locator('body').textContent(), PATIENTLY).toMatch(shown)
          await report.close()
        }
      }
      await expectForEveryone(page, true)
      expect(await page.evaluate(WIDER)).toBe(false)
      expect(complaints).toEqual([])
      await page.close()
    },
  )

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

const TRADES = `async onBar(bar, context) {
    if ((bar.closeTime + 1) % 3_600_000 !== 0) return
    for (const position of context.positions()) await context.close({ position })
    await context.open({ asset: bar.asset, direction: side(bar), sizeBy: { margin: '5%' }, leverage: '2' })
  }`

/** Scripts to be looked at: one that never does the same twice, one that decides by what it is told, one that breaks off. */
const LOOKED_AT = {
  guesses: `const side = () => (Math.random() < 0.5 ? 'long' : 'short')
export default () => ({ name: 'guesses', ${TRADES} })
`,
  honest: `const side = (bar) => (bar.close > bar.open ? 'long' : 'short')
export default () => ({ name: 'honest', ${TRADES} })
`,
  breaks: `export default () => ({ name: 'breaks', onBar() { throw new Error('it is broken') } })
`,
}

const FOCUSED = `(() => {
  const { activeElement } = document
  const { outlineStyle } = getComputedStyle(activeElement)
  if (activeElement !== document.body && outlineStyle === 'none') return 'focus is not seen'
  return (activeElement.labels?.[0] ?? activeElement).textContent.trim()
})()`
