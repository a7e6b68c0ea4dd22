// The report as a reader sees it: opened from disk without a network, in light and dark, on a desk and on a phone.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyOdds } from '../../src/backtest/evaluate/evaluate.ts'
import { readRuleSet } from '../../src/backtest/evaluate/rules.ts'
import { renderOdds } from '../../src/backtest/report/oddsReport.ts'
import { renderReport } from '../../src/backtest/report/render.ts'
import { type ReportData, reportData } from '../../src/backtest/report/reportData.ts'
import { renderSweepReport } from '../../src/backtest/report/sweepReport.ts'
import { runBothPaths } from '../../src/backtest/run/bothPaths.ts'
import { demoFeed } from '../../src/backtest/simulated/demoFeed.ts'
import { meanReversion } from '../../src/backtest/strategies/meanReversion.ts'
import { runSweep } from '../../src/backtest/sweep/sweep.ts'
import {
  AMBIGUOUS,
  ambiguousStrategy,
  liquidatedRun,
  optionsFor,
  recorded,
  runThatFailsAtOnce,
  runWithoutTrades,
} from '../unit/backtest/report/runs.ts'
import { Browser, hasChromium } from './chromium.ts'

const DESK = { width: 1320, height: 900 }
const PHONE = { width: 390, height: 844 }

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-report-'))
let browser: Browser
let opened = 0

interface Opened {
  readonly page: Page
  /** Errors on the console, and everything asked of the network. */
  readonly complaints: string[]
}

async function open(report: ReportData, theme: 'light' | 'dark' = 'light', size = DESK): Promise<Opened> {
  const { page, complaints } = await openText(pageOf(report), theme, size)
  await page.waitForSelector('html[data-drawn]')
  return { page, complaints }
}

/** Each run's page is made once, however often it is opened. */
const pages = new Map<ReportData, string>()
function pageOf(report: ReportData): string {
  const text = pages.get(report) ?? renderReport(report)
  pages.set(report, text)
  return text
}

async function openText(html: string, theme: 'light' | 'dark', size: typeof DESK): Promise<Opened> {
  const file = path.join(folder, `${opened++}.html`)
  writeFileSync(file, html)
  const page = await browser.page()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(request.url())
  })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize(size)
  await page.goto(pathToFileURL(file).href)
  return { page, complaints }
}

/** The places of charts whose canvases show nothing: all pixels alike. */
const BLANK_CHARTS = `[...document.querySelectorAll('.plot:not(.empty)')].filter((place) => {
  const canvases = [...place.querySelectorAll('canvas')]
  return !canvases.some((canvas) => {
    if (canvas.width === 0 || canvas.height === 0) return false
    const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)
    return pixels.some((pixel) => pixel !== pixels[0])
  })
}).map(({ id }) => id)`

/** Charts take their size in one frame and draw in a later one, which a busy machine may take long to come to. */
const PATIENTLY = { timeout: 60_000, interval: 50 }

async function expectAllDrawn(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(BLANK_CHARTS), PATIENTLY).toEqual([])
}

/** Places that hold more than they show, and that no key comes to. */
const OUT_OF_REACH = `[...document.querySelectorAll('.scroll')].filter((place) =>
  (place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight) &&
  (place.tabIndex !== 0 || !place.getAttribute('aria-label'))).map(({ innerText }) => innerText)`

const ENGINE = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine'), 'utf8')
/** What is wrong with the page by WCAG 2.2 (A and AA). */
const VIOLATIONS = `(async () => {
  const { results } = await new ace.Checker().check(document, ['WCAG_2_2'])
  return results.filter(({ value }) => value[1] === 'FAIL').map(({ ruleId, message, snippet }) => [ruleId, message, snippet].join(' | '))
})()`

const WIDER_THAN_SCREEN = 'document.documentElement.scrollWidth > innerWidth'

async function demo(): Promise<ReportData> {
  const options = {
    markets: [{ asset: 'BTC', feed: demoFeed('demo', 6) }],
    strategy: meanReversion({ asset: 'BTC' }),
  }
  return (await recorded(options)).report
}

async function bothPaths(): Promise<ReportData> {
  const comparison = await runBothPaths(() => optionsFor(AMBIGUOUS, ambiguousStrategy()))
  return reportData(comparison.adverse, comparison.adverseRecording, comparison)
}

async function studyPage(): Promise<string> {
  const plan = { markets: [{ asset: 'BTC', days: 1 }], strategy: 'ema-cross' }
  const { rows } = await runSweep({ plan, vary: { fast: [5, 9], slow: [20, 30, 40] }, workers: 1 })
  return renderSweepReport({ strategy: 'ema-cross', rows, rankedBy: 'totalReturn', software: '' })
}

async function oddsPage(): Promise<string> {
  const rules = readRuleSet(
    '{ "fee": 100, "profitTarget": "2%", "phases": [{}, { "profitTarget": "1%" }], "payout": { "days": 1, "share": "80%" } }',
    'two <steps>',
  )
  const { odds } = await strategyOdds({
    ...{ plan: { markets: [{ asset: 'BTC', days: 1 }], strategy: 'breakout' }, rules: [rules] },
    ...{ sets: [{ risk: '0.5%' }, { risk: '2%' }], paths: 6, days: 4, workers: 1 },
  })
  const cases = odds.map((own) => ({ ...own, varied: String(own.parameters.risk) }))
  return renderOdds({ title: 'breakout', facts: [], variedName: 'risk', cases, notes: ['a note'] })
}

describe.skipIf(!hasChromium)('a report in a browser', () => {
  let report: ReportData
  let study: string
  let odds: string

  beforeAll(async () => {
    report = await demo()
    study = await studyPage()
    odds = await oddsPage()
    browser = await Browser.start()
  })
  afterAll(async () => {
    await browser?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['light', DESK],
    ['dark', DESK],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)(
    '%s, %o: every chart is drawn, nothing complains, nothing is asked of the network',
    async (theme, size) => {
      const { page, complaints } = await open(report, theme, size)
      await expectAllDrawn(page)
      expect(await page.locator('.plot canvas').count()).toBeGreaterThan(6)
      expect(await page.evaluate(WIDER_THAN_SCREEN)).toBe(false)
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  test.each(['a run', 'a study'])(
    '%s is for everyone: nothing is wrong by WCAG 2.2, and keys come to what scrolls',
    async (kind) => {
      const { page } =
        kind === 'a run' ? await open(report, 'dark', PHONE) : await openText(study, 'light', PHONE)
      await expect.poll(() => page.evaluate(OUT_OF_REACH), PATIENTLY).toEqual([])
      expect(await page.locator('.scroll[tabindex]').count()).toBeGreaterThan(0)
      await page.evaluate(`${ENGINE}; window.ace = ace`)
      expect(await page.evaluate(VIOLATIONS)).toEqual([])
      await page.close()
    },
  )

  test('it fits screens of every width, with each of its explanations shown', async () => {
    const { page } = await open(report)
    const wide = []
    for (const width of [360, 400, 420, 600, 641, 700, 768, 850, 901, 1_000, 1_320]) {
      await page.setViewportSize({ ...DESK, width })
      const beyond = await page.evaluate(`['none', ...document.querySelectorAll('.term')].flatMap((term) => {
        term.focus?.()
        return ${WIDER_THAN_SCREEN} ? [term.textContent ?? term] : []
      })`)
      wide.push(...(beyond as string[]).map((name) => `${width}: ${name}`))
    }
    expect(wide).toEqual([])
    await page.close()
  })

  test.each([
    ['no trades', async () => (await runWithoutTrades()).report, 'No trade was closed'],
    [
      'a failure on the first day',
      async () => (await runThatFailsAtOnce()).report,
      'Total loss limit broken',
    ],
    ['a liquidation', async () => (await liquidatedRun()).report, 'liquidation'],
    ['both paths', bothPaths, 'take-profit'],
  ])('a run with %s', async (_, make, words) => {
    const { page, complaints } = await open(await make())
    await expectAllDrawn(page)
    expect(await page.locator('main').innerText()).toContain(words)
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([
    ['light', DESK],
    ['dark', PHONE],
  ] as const)(
    'the heat map of a sweep, %s, %o: every cell has its figure and its colour',
    async (theme, size) => {
      const { page, complaints } = await openText(study, theme, size)
      const cells = page.locator('#heat-map td')
      expect(await cells.count()).toBe(6)
      for (const text of await cells.allInnerTexts()) expect(text).toMatch(/^−?\d+\.\d\d%$/)
      const colours = await page.evaluate(
        "[...document.querySelectorAll('#heat-map td')].map((cell) => getComputedStyle(cell).backgroundColor)",
      )
      expect(new Set(colours as string[]).size).toBeGreaterThan(1)
      expect(await page.evaluate(WIDER_THAN_SCREEN)).toBe(false)
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  test.each([
    ['light', DESK],
    ['dark', PHONE],
  ] as const)('the odds of a strategy, %s, %o: a curve and a table over what varies', async (theme, size) => {
    const { page, complaints } = await openText(odds, theme, size)
    const text = await page.locator('main').innerText()
    for (const words of [
      'Odds by risk',
      'two <steps>, risk 2%',
      'Phase 2',
      'Days to the first payout',
      'a note',
    ])
      expect(text).toContain(words)
    expect(await page.locator('#curve path.line').count()).toBeGreaterThan(1)
    expect(await page.locator('#cases tbody tr').count()).toBe(2)
    expect(text).not.toMatch(/NaN|undefined/)
    expect(await page.evaluate(WIDER_THAN_SCREEN)).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the theme follows the system until it is chosen', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const { page } = await open(report, 'light')
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.click('#theme')
    expect(await background()).toBe(light)
    await expectAllDrawn(page)
    await page.close()
  })

  test('on paper it is light, whatever the screen is, and nothing is cut off at its edge', async () => {
    const { page } = await open(report, 'dark')
    const shown = async () => ({
      page: await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      theme: await page.evaluate('document.documentElement.dataset.theme ?? null'),
    })
    const before = await shown()
    // A4 without its margins, at 96 dots an inch.
    await page.setViewportSize({ width: 703, height: 1032 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await shown()).toEqual({ page: 'rgb(255, 255, 255)', theme: 'light' })
    expect(await page.evaluate(WIDER_THAN_SCREEN)).toBe(false)
    const cut = `[...document.querySelectorAll('.scroll')].filter((place) =>
      place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight).length`
    expect(await page.evaluate(cut)).toBe(0)
    expect(await page.locator('.bar, .pager button').filter({ visible: true }).count()).toBe(0)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    expect(await shown()).toEqual(before)
    expect((await page.pdf({ preferCSSPageSize: true })).subarray(0, 5).toString()).toBe('%PDF-')
    await page.close()
  })

  test('trades are sorted and filtered, and a row leads to its place on the price chart', async () => {
    const { page, complaints } = await open(report)
    const column = async (index: number) =>
      (await page.locator(`#trade-table tbody tr td:nth-child(${index})`).allInnerTexts()).map((text) =>
        Number(text.replace('−', '-').replace(/[+,%]/g, '')),
      )
    const before = await column(8)
    await page.getByRole('button', { name: 'Pnl' }).click()
    expect(await column(8)).toEqual([...before].sort((a, b) => b - a))
    await page.getByLabel('Outcome').selectOption('won')
    const won = await column(8)
    expect(won).toEqual(before.filter((pnl) => pnl > 0).sort((a, b) => b - a))
    expect(won.length).toBeGreaterThan(0)
    const interval = await page.locator('#price .readout').innerText()
    await page.locator('#trade-table tbody tr').first().click()
    await expect.poll(() => page.locator('#price .readout').innerText(), PATIENTLY).not.toBe(interval)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a definition shows where a figure is pointed at', async () => {
    const { page } = await open(report)
    const tip = page.locator('.tile .tip').first()
    expect(await tip.isVisible()).toBe(false)
    await page.locator('.tile .term').first().hover()
    await expect.poll(() => tip.isVisible(), PATIENTLY).toBe(true)
    await page.close()
  })

  test('a hostile name stays a name', async () => {
    const name = '</script><img src=x onerror="document.title=1"><script>document.title=1</script>'
    const hostile = { ...report, strategy: name, notes: [name], charts: { ...report.charts, assets: [name] } }
    const { page, complaints } = await open(hostile)
    expect(await page.locator('h1').innerText()).toBe(name)
    expect(await page.title()).toContain('img src')
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })
})
