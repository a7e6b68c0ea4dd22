// The console is for everyone: each control has a name, text stands out, the keyboard reaches all of it and shows where it is.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALICE, marketOrder, OPERATOR, type VenueUnderTest } from '../host/venue.ts'
import { Browser, hasChromium } from './chromium.ts'
import { consoleVenue, DESK, openConsole, PATIENTLY, PHONE, signIn, type Theme } from './consoleVenue.ts'
import { faintIn } from './faint.ts'

/** Controls that say nothing of what they are for. */
const NAMELESS = `[...document.querySelectorAll('button, input, select, a[href], [role=img]')].filter((control) => {
  const labels = [...(control.labels ?? [])].map((label) => label.textContent).join('')
  const name = control.getAttribute('aria-label') ?? (labels || control.textContent)
  return name.trim() === ''
}).map((control) => control.outerHTML)`

const require = createRequire(import.meta.url)
/** Runs before the scripts of a page, once: it takes longer to load than to ask. */
const ENGINE = `${readFileSync(require.resolve('accessibility-checker-engine'), 'utf8')}\nwindow.ace = ace`

/** Rules that find nothing wrong but ask somebody to look, and where that is looked at. */
const LOOKED_AT: readonly string[] = [
  // Below: focus is seen at every stop of the keyboard, and 4.5 to 1 holds in both themes. Numbers have signs beside colours.
  'style_focus_visible',
  'style_color_misuse',
  'style_highcontrast_visible',
  'style_viewport_resizable',
  // What a canvas shows is said in words beside it.
  'canvas_content_described',
  // It knows no groups of terms in lists of definitions, which HTML has.
  'list_structure_proper',
  // Groups where there is one: of two fields in a row there is none.
  'input_fields_grouped',
  'select_options_grouped',
  // Behind a dialog nothing has the focus, what is focused is scrolled into sight, and handles are seen once they are.
  'element_tabbable_unobscured',
  'element_tabbable_visible',
  'target_spacing_sufficient',
]

/** What is wrong with the page by WCAG 2.2 (A and AA), and what may be. */
const VIOLATIONS = `(async () => {
  const { results } = await new ace.Checker().check(document, ['WCAG_2_2'])
  return results
    .filter(({ value, ruleId }) => value[1] === 'FAIL' || (value[1] !== 'PASS' && !${JSON.stringify(LOOKED_AT)}.includes(ruleId)))
    .map(({ ruleId, message, snippet }) => [ruleId, message, snippet].join(' | '))
})()`

const LANDMARKS = `['header', 'main', 'footer', 'h1', '[role=status][aria-live=polite]'].filter((one) => document.querySelectorAll(one).length !== 1)`

const SHOWN: readonly (readonly [Theme, typeof DESK])[] = [
  ['light', DESK],
  ['dark', DESK],
  ['light', PHONE],
  ['dark', PHONE],
]

describe.skipIf(!hasChromium)('the console for everyone', () => {
  let browser: Browser
  let venue: VenueUnderTest
  beforeAll(async () => {
    browser = await Browser.start({ offline: false })
    venue = await consoleVenue()
    expect((await venue.post('/orders', marketOrder({ stopTriggerPrice: '48000000000000' }))).status).toBe(
      201,
    )
  })
  afterAll(async () => {
    await browser?.end()
    await venue?.venue.close()
  })

  /** Themes differ in colours alone, which `faintIn` looks at in both: the rules of WCAG are held to each in one of the sizes. */
  async function expectForEveryone(page: Page, whole: boolean): Promise<void> {
    expect(await page.evaluate(NAMELESS)).toEqual([])
    expect(await page.evaluate(faintIn('body'))).toEqual([])
    expect(await page.evaluate(LANDMARKS)).toEqual([])
    if (whole) expect(await page.evaluate(VIOLATIONS)).toEqual([])
  }

  test.each(SHOWN)('to trade, %s on %o', async (theme, size) => {
    const whole = (theme === 'light') === (size === DESK)
    const { page } = await openConsole(browser, venue, { theme, size, before: whole ? ENGINE : '' })
    await expectForEveryone(page, whole)
    await signIn(page, ALICE.session)
    await page.waitForSelector('.connection.live')
    await page.waitForSelector('#evaluation-title')
    await page.getByLabel('Amount').fill('5')
    await expectForEveryone(page, whole)
    await page.getByRole('button', { name: /^Close long/ }).click()
    await expectForEveryone(page, whole)
    await page.close()
  })

  test.each(SHOWN)('to operate, %s on %o', async (theme, size) => {
    const whole = (theme === 'light') === (size === DESK)
    const { page } = await openConsole(browser, venue, { theme, size, before: whole ? ENGINE : '' })
    await signIn(page, OPERATOR)
    await page.waitForSelector('nav a')
    for (const view of ['accounts', 'exposure', 'markets', 'log', 'commands', 'health']) {
      await page.click(`nav a[href="#${view}"]`)
      await page.waitForSelector(`nav a[href="#${view}"][aria-current=page]`)
      await page.waitForSelector('main h2')
      await expectForEveryone(page, whole)
    }
    await page.goto(`${venue.venue.url}/console#accounts/${ALICE.accountId}`)
    await page.locator('.life summary', { hasText: 'order executed' }).click()
    await page.getByRole('button', { name: 'Why this position' }).click()
    await expect.poll(() => page.locator('main').textContent(), PATIENTLY).toMatch(/place order request/)
    await expectForEveryone(page, whole)
    await page.close()
  })

  test('a table is one to those who hear it as well where its rows stack', async () => {
    const { page } = await openConsole(browser, venue, { size: PHONE })
    await signIn(page, ALICE.session)
    await page.waitForSelector('.connection.live')
    const table = page.getByRole('table').filter({ hasText: 'Liquidation' })
    expect(await table.getByRole('columnheader', { name: 'Liquidation' }).count()).toBe(1)
    expect(await table.getByRole('row').count()).toBe(2)
    const tools = await page.context().newCDPSession(page)
    const { nodes } = await tools.send('Accessibility.getFullAXTree')
    const roles = nodes.map(({ role }) => role?.value)
    expect([...new Set(roles)]).toEqual(expect.arrayContaining(['table', 'row', 'columnheader', 'cell']))
    await page.close()
  })

  /** By the keyboard to a control, every stop on the way showing that it is one. */
  async function walkTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(FOCUSED)
      expect(focused).toMatchObject({ outline: true })
      if ((focused as { text: string }).text.includes(name)) return
    }
    throw new Error(`the keyboard does not reach ${name}`)
  }

  test('the keyboard alone signs in, writes an order and places it', async () => {
    const { page } = await openConsole(browser, venue)
    const to = (name: string) => walkTo(page, name)
    await to('Token')
    await page.keyboard.type(ALICE.session)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.connection.live')
    await to('Amount')
    await page.keyboard.type('100')
    await to('Long BTC')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.announcement')
    expect(await page.locator('.announcement').textContent()).toBe('Market order, long BTC/USD: filled.')
    await page.close()
  })

  test.each([DESK, PHONE])(
    'the keyboard walks every control of the ticket as they stand, on %o',
    async (size) => {
      const { page } = await openConsole(browser, venue, { size })
      await signIn(page, ALICE.session)
      await page.waitForSelector('.connection.live')
      const ticket = page.locator('form.ticket')
      const type = ticket.locator('select').first()
      const types = await type.locator('option').evaluateAll(VALUES)
      expect(types).toHaveLength(7)
      for (const one of types) {
        await type.selectOption(one)
        await ticket.getByLabel('Amount').fill(one === 'stop' || one === 'take' ? '0.01' : '100')
        await page.evaluate("document.querySelector('form.ticket select').focus()")
        const asTheyStand = (await page.evaluate(AS_THEY_STAND)) as number[]
        const walked: unknown[] = []
        for (let at = 0; at < asTheyStand.length; at++) {
          walked.push(await page.evaluate(WHICH))
          await page.keyboard.press('Tab')
        }
        expect([one, walked]).toEqual([one, asTheyStand])
      }
      await page.close()
    },
  )

  test('the keyboard moves the line of a stop, lets go of it, and has the order changed', async () => {
    const { page, complaints } = await openConsole(browser, venue)
    await signIn(page, ALICE.session)
    await page.waitForSelector('.plot canvas')
    await walkTo(page, 'stop 48,000.00')
    const line = page.getByRole('slider', { name: /^Line of the stop/ })
    const level = () => line.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('PageUp')
    expect(await level()).toBe('48,528.00')
    await page.keyboard.press('Escape')
    expect(await level()).toBe('48,000.00')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog')
    await expect.poll(() => dialog.getByLabel('Trigger price').inputValue(), PATIENTLY).toBe('47472')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    await expect.poll(level, PATIENTLY).toBe('47,472.00')
    const { body } = await venue.get(`/orders/${ALICE.accountId}/active`)
    expect(body.map(({ triggerPrice }: { triggerPrice: string }) => triggerPrice)).toEqual(['47472000000000'])
    expect(complaints).toEqual([])
    await page.close()
  })
})

const VALUES = (options: readonly unknown[]) => options.map((option) => (option as { value: string }).value)

const CONTROLS = `[...document.querySelectorAll('form.ticket :is(select, input, button):not(:disabled)')]`

/** The controls of the ticket from top to bottom, and in a row from left to right. */
const AS_THEY_STAND = `${CONTROLS}.map((control, at) => ({ at, place: (control.closest('.field') ?? control).getBoundingClientRect() })).sort(
  (a, b) => a.place.top < b.place.bottom && b.place.top < a.place.bottom ? a.place.left - b.place.left : a.place.top - b.place.top
).map(({ at }) => at)`

const WHICH = `${CONTROLS}.indexOf(document.activeElement)`

const FOCUSED = `(() => {
  const { activeElement } = document
  const labels = [...(activeElement.labels ?? [])].map((label) => label.textContent).join('')
  const { outlineStyle, outlineWidth } = getComputedStyle(activeElement)
  const isPage = activeElement === document.body
  return { text: labels || activeElement.textContent, outline: isPage || (outlineStyle !== 'none' && outlineWidth !== '0px') }
})()`
