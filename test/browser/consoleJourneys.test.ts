// What traders and operators do, from beginning to end, in both themes, on a screen by mouse and on a phone by finger.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { IS_BRIEF } from '../atLength.ts'
import { ALICE, limitOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { DESK, PATIENTLY, PHONE, signIn, type Theme } from './consoleVenue.ts'

const SHOWN: readonly (readonly [Theme, typeof DESK])[] = [
  ['light', DESK],
  ['dark', PHONE],
  ...(IS_BRIEF
    ? []
    : ([
        ['dark', DESK],
        ['light', PHONE],
      ] as const)),
]

describe.skipIf(!hasChromium)('whatever the theme and the screen', () => {
  const shown = consoleInBrowser()

  const active = async (of: 'orders' | 'positions') =>
    (await shown.venue.get(`/${of}/${ALICE.accountId}/active`)).body as Record<string, string>[]
  const triggers = async () => (await active('orders')).map(({ triggerPrice }) => triggerPrice)

  test.each(SHOWN)('a trader places, edits, drags a stop and closes, %s on %o', async (theme, size) => {
    const { page, complaints } = await shown.open({ theme, size })
    await signIn(page, ALICE.session)
    await page.waitForSelector('.plot canvas')
    const ticket = page.locator('form.ticket')
    const dialog = page.locator('dialog')
    const isClosed = () => expect.poll(() => dialog.count(), PATIENTLY).toBe(0)

    await ticket.getByLabel('Amount').fill('100')
    await ticket.getByLabel('Stop-loss (optional)').fill('48000')
    await ticket.locator('button[type=submit]').click()
    await expect.poll(() => active('positions'), PATIENTLY).toHaveLength(1)
    expect(await triggers()).toEqual(['48000000000000'])

    await page.getByRole('button', { name: 'Change the Stop-loss order on BTC/USD' }).click()
    await dialog.getByLabel('Trigger price').fill('48500')
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await isClosed()
    await expect.poll(triggers, PATIENTLY).toEqual(['48500000000000'])

    if (size === DESK) await drag(page, 'stop 48,500.00', byMouseThenEscape)
    await drag(page, 'stop 48,500.00', size === PHONE ? byFinger : byMouse)
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(1)
    const level = Number(await dialog.getByLabel('Trigger price').inputValue())
    expect(level).toBeGreaterThan(48_500)
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await isClosed()
    await expect.poll(triggers, PATIENTLY).toEqual([String(Math.round(level * 100) * 10_000_000)])

    await page.getByRole('button', { name: 'Close long BTC/USD' }).click()
    await dialog.getByRole('button', { name: '100%' }).click()
    await dialog.getByRole('button', { name: 'Close all of it' }).click()
    await isClosed()
    await expect.poll(() => active('positions'), PATIENTLY).toEqual([])
    expect(await active('orders')).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each(SHOWN)('an operator pauses a market and freezes an account, %s on %o', async (theme, size) => {
    const { page, complaints } = await shown.open({ theme, size })
    await signIn(page, OPERATOR)
    const placed = async () => (await shown.venue.post('/orders', limitOrder())).status
    const shows = (text: string | RegExp) =>
      expect.poll(() => page.locator('main').textContent(), PATIENTLY).toMatch(text)
    await page.click('nav a[href="#markets"]')
    for (const [action, status, answer] of [
      ['Pause', 'paused', 403],
      ['Open', 'open', 201],
    ] as const) {
      await page.getByRole('button', { name: `${action}: BTC` }).click()
      await page.locator('dialog').getByRole('button', { name: action, exact: true }).click()
      await shows(new RegExp(`BTC${status}`))
      // Whoever goes by keyboard is where they were.
      const next = status === 'paused' ? 'Open: BTC' : 'Pause: BTC'
      await expect.poll(() => page.evaluate(FOCUSED), PATIENTLY).toBe(next)
      expect([status, await placed()]).toEqual([status, answer])
    }
    await page.click('nav a[href="#commands"]')
    for (const [locked, answer] of [
      ['true', 403],
      ['false', 201],
    ] as const) {
      await page.locator('form.command select').first().selectOption('setAccountLock')
      await page.getByLabel('account id').fill(ALICE.accountId)
      await page.getByLabel('locked').selectOption(locked)
      await page.getByRole('button', { name: 'See what it would do' }).click()
      await page.getByRole('button', { name: 'Send it' }).click()
      await expect.poll(() => page.locator('dialog').count(), PATIENTLY).toBe(0)
      expect([locked, await placed()]).toEqual([locked, answer])
    }
    for (const { id } of await active('orders')) await shown.venue.delete(`/orders/${id}`)
    expect(complaints).toEqual([])
    await page.close()
  })
})

const FOCUSED = 'document.activeElement.getAttribute("aria-label")'

type Pull = (page: Page, x: number, from: number, to: number) => Promise<void>

/** Pulls the line of an order up by some of its chart. */
async function drag(page: Page, line: string, pull: Pull): Promise<void> {
  await page.locator('.plot').scrollIntoViewIfNeeded()
  // Its handle for the keyboard stands in the page once the line does; where that is only the pointer finds out.
  await page.getByRole('slider', { name: /^Line of the stop/ }).waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.handles').textContent(), PATIENTLY).toContain(line)
  const place = (await page.locator('.plot').boundingBox()) as { x: number; y: number; height: number }
  for (let y = place.y + place.height - 30; y > place.y; y -= 4) {
    await page.mouse.move(place.x + 100, y)
    if ((await page.locator('.plot.grasping').count()) > 0) return pull(page, place.x + 100, y, y - 40)
  }
  throw new Error(`${line} is nowhere in the chart`)
}

/** Lets the line go: a dialog that asked all the same would stand before what is dragged next. */
const byMouseThenEscape: Pull = async (page, x, from, to) => {
  await page.mouse.move(x, from)
  await page.mouse.down()
  await page.mouse.move(x, to, { steps: 4 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
}

const byMouse: Pull = async (page, x, from, to) => {
  await page.mouse.move(x, from)
  await page.mouse.down()
  await page.mouse.move(x, to, { steps: 4 })
  await page.mouse.up()
}

const byFinger: Pull = async (page, x, from, to) => {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    tools.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] })
  await touch('touchStart', from)
  for (let step = 1; step <= 8; step++) await touch('touchMove', from + ((to - from) * step) / 8)
  await touch('touchEnd')
}
