// The console is for everyone: each control has a name, text stands out, the keyboard reaches all of it and shows where it is.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, marketOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { DESK, PATIENTLY, PHONE, signIn, type Theme } from './consoleVenue.ts'
import { ENGINE, expectForEveryone } from './forEveryone.ts'

/** Each size is opened in one theme and looked at in both; the rules of WCAG are held to the one it is opened in. */
const VISITS: readonly (readonly [Theme, typeof DESK])[] = [
  ['light', DESK],
  ['dark', PHONE],
]

async function expectInBothThemes(page: Page, openedIn: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: openedIn === 'dark' ? 'light' : 'dark' })
  await expectForEveryone(page, false)
  await page.emulateMedia({ colorScheme: openedIn })
  await expectForEveryone(page, true)
}

/**
 * The views of an operator, and what of each is there once the venue has answered all that it asked: before, some say only that
 * they load. In the log the engine of rules takes a label for missing where there is nothing to choose between, and markets come last.
 */
const ANSWERED: Readonly<Record<string, readonly string[]>> = {
  accounts: ['main tbody tr'],
  exposure: ['main .side-by-side section'],
  markets: ['main tbody [aria-expanded]'],
  log: ['main .log li', 'main .field:nth-child(2) option:nth-child(2)'],
  commands: ['form.command .field'],
  health: ['main .figures', 'main .nothing:text("None is configured.")'],
}

describe.skipIf(!hasChromium)('the console for everyone', () => {
  const shown = consoleInBrowser(async (venue) => {
    expect((await venue.post('/orders', marketOrder({ stopTriggerPrice: '48000000000000' }))).status).toBe(
      201,
    )
  })

  test.each(VISITS)('to trade, opened %s and looked at in both themes, on %o', async (theme, size) => {
    const { page } = await shown.open({ theme, size, before: ENGINE })
    await expectInBothThemes(page, theme)
    await signIn(page, ALICE.session)
    await page.waitForSelector('.connection.live')
    await page.waitForSelector('#evaluation-title')
    await page.getByLabel('Amount').fill('5')
    await expectInBothThemes(page, theme)
    await page.getByRole('button', { name: /^Close long/ }).click()
    await expectInBothThemes(page, theme)
    await page.close()
  })

  test.each(VISITS)(
    'to operate, opened %s and looked at in both themes, on %o',
    async (theme, size) => {
      const { page } = await shown.open({ theme, size, before: ENGINE })
      await signIn(page, OPERATOR)
      await page.waitForSelector('nav a')
      for (const [view, answers] of Object.entries(ANSWERED)) {
        await page.click(`nav a[href="#${view}"]`)
        await page.waitForSelector(`nav a[href="#${view}"][aria-current=page]`)
        await page.waitForSelector('main h2')
        for (const answer of answers) await page.waitForSelector(answer, { state: 'attached' })
        await expectInBothThemes(page, theme)
      }
      await page.goto(`${shown.venue.venue.url}/console#accounts/${ALICE.accountId}`)
      await page.locator('.life summary', { hasText: 'order executed' }).click()
      await page.getByRole('button', { name: 'Why this position' }).click()
      await expect.poll(() => page.locator('main').textContent(), PATIENTLY).toMatch(/place order request/)
      await expectInBothThemes(page, theme)
      await page.close()
    },
    300_000,
  )

  test('a table is one to those who hear it as well where its rows stack', async () => {
    const { page } = await shown.open({ size: PHONE })
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
    const { page } = await shown.open()
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
      const { page } = await shown.open({ size })
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
    const { page, complaints } = await shown.open()
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
    // It is gone after eight seconds, and has to be looked for before it comes.
    const announced = page.getByText('Stop-loss order on BTC/USD now at 47,472.00.').waitFor()
    await page.keyboard.press('Enter')
    await announced
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    await expect.poll(level, PATIENTLY).toBe('47,472.00')
    const { body } = await shown.venue.get(`/orders/${ALICE.accountId}/active`)
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
