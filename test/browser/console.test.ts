// The console as traders see it, from the sources as they are, against a venue over its real interface.

import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { price } from '../../src/host/console/page/shared/amounts.ts'
import { fp9 } from '../../src/index.ts'
import { ALICE, BTC, limitOrder, marketOrder } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import {
  consoleVenue,
  DESK,
  type Opened,
  OVERHANG,
  openConsole,
  PATIENTLY,
  PHONE,
  signIn,
  TABLET,
  type Theme,
} from './consoleVenue.ts'

const LONG = marketOrder({ stopTriggerPrice: '48000000000000' })

describe.skipIf(!hasChromium)('the console', () => {
  const shown = consoleInBrowser(async (venue) => {
    expect((await venue.post('/orders', LONG)).status).toBe(201)
  })

  async function openedByAlice(terms: { theme?: Theme; size?: typeof DESK } = {}): Promise<Opened> {
    const opened = await shown.open(terms)
    await signIn(opened.page, ALICE.session)
    await opened.page.waitForSelector('.connection.live')
    return opened
  }

  test.each([
    ['light', 'dark', DESK],
    ['dark', 'light', PHONE],
  ] as const)('shows what an account holds, %s, then %s, on %o', async (theme, other, size) => {
    const { page, complaints } = await openedByAlice({ theme, size })
    await page.waitForSelector('.plot canvas')
    for (const colorScheme of [theme, other]) {
      await page.emulateMedia({ colorScheme })
      const positions = page.locator('section', { has: page.locator('#positions-title') })
      expect(await positions.locator('tbody tr').count()).toBe(1)
      expect(await positions.textContent()).toContain('0.0995 BTC')
      expect(await page.locator('#orders-title').locator('../..').textContent()).toContain('48,000.00')
      expect(await page.evaluate(OVERHANG)).toBe(0)
      const [ticket, lists] = await Promise.all([top(page, 'form.ticket'), top(page, '#positions-title')])
      if (size === PHONE) expect(ticket).toBeLessThan(lists)
      const evaluation = page.locator('section', { has: page.locator('#evaluation-title') })
      expect(await evaluation.textContent()).toMatch(
        /Profitable days.*Daily loss 5.0%.*left above.*Total loss 10.0%.*left above 9,000.00.*The next day begins in/,
      )
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([DESK, TABLET, PHONE])(
    'nothing moves while prices do, whatever their digits, on %o',
    async (size) => {
      const { page } = await openedByAlice({ size })
      await page.waitForSelector('.plot canvas')
      await page.evaluate(SHIFTS)
      for (const indexPrice of ['50101.5', '49950', '50750.25', '100500', '49875', '50000']) {
        await shown.venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice: String(fp9(indexPrice)) })
        const text = price(fp9(indexPrice))
        await expect.poll(() => page.locator('.index-price').textContent(), PATIENTLY).toBe(text)
        await expect.poll(() => page.locator('td[data-label=Index]').textContent(), PATIENTLY).toBe(text)
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
      }
      expect(await page.evaluate('window.shifts')).toEqual([])
      await page.close()
    },
  )

  test.each([DESK, TABLET, PHONE])(
    'nothing but a word of the bar moves while the page comes, on %o',
    async (size) => {
      const { page } = await shown.open({ size, before: SHIFTS })
      await signIn(page, ALICE.session)
      await page.waitForSelector('.plot canvas')
      await page.reload()
      await page.waitForSelector('.plot canvas')
      await page.getByRole('button', { name: 'Close long BTC/USD' }).waitFor()
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
      const shifts = (await page.evaluate('window.shifts')) as [number, ...string[]][]
      const moved = shifts.reduce((sum, [value]) => sum + value, 0)
      expect(moved, JSON.stringify(shifts)).toBeLessThan(0.002)
      await page.close()
    },
  )

  test('no button of a list is cut off, however wide the window', async () => {
    const { body: order } = await shown.venue.post('/orders', limitOrder({ triggerPrice: '47000000000000' }))
    const { page } = await openedByAlice()
    await page.getByRole('button', { name: 'Cancel the Limit order on BTC/USD' }).waitFor()
    for (const width of [320, 360, 640, 641, 768, 860, 861, 1120, 1121, 1200, 1201, 1320]) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
      expect([width, await page.evaluate(CUT_OFF)]).toEqual([width, []])
    }
    await shown.venue.delete(`/orders/${order.id}`)
    await page.close()
  })

  test('the leverage of an order is bounded as the account is, where the market allows more', async () => {
    const { page, complaints } = await openedByAlice()
    const ticket = page.locator('form.ticket')
    await ticket.getByLabel('Leverage, up to 10x').fill('50')
    await ticket.getByLabel('Amount').fill('100')
    expect(await ticket.textContent()).toContain(
      'The leverage is outside the bounds of the market and the phase.',
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([DESK, PHONE])(
    'fields beside each other stay in line when one is at fault, on %o',
    async (size) => {
      const { page } = await openedByAlice({ size })
      const ticket = page.locator('form.ticket')
      const [stop, take] = ['Stop-loss', 'Take-profit'].map((name) =>
        ticket.getByRole('textbox', { name }),
      ) as [Locator, Locator]
      await ticket.getByLabel('Amount').fill('100')
      await stop.fill('1')
      await ticket.getByRole('alert').waitFor()
      expect((await take.boundingBox())?.y).toBe((await stop.boundingBox())?.y)
      await page.close()
    },
  )

  test('follows the price', async () => {
    const { page, complaints } = await openedByAlice()
    await shown.venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '50500000000000' })
    await expect.poll(() => page.locator('.index-price').textContent(), PATIENTLY).toBe('50,500.00')
    await expect.poll(() => page.locator('td[data-label=Pnl]').textContent(), PATIENTLY).toContain('+49.75')
    await shown.venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' })
    expect(complaints).toEqual([])
    await page.close()
  })

  test('cancels an order', async () => {
    const { body: order } = await shown.venue.post('/orders', limitOrder({ triggerPrice: '47000000000000' }))
    const { page, complaints } = await openedByAlice()
    const row = page.locator('tr', { hasText: '47,000.00' })
    await row.getByRole('button', { name: /^Cancel/ }).click()
    await expect.poll(() => row.count(), PATIENTLY).toBe(0)
    const { body } = await shown.venue.get(`/orders/${ALICE.accountId}/active`)
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(order.id)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('what has been closed is listed, with how it ended', async () => {
    const { page, complaints } = await openedByAlice()
    const closed = page.locator('section', { has: page.locator('#closed-title') })
    const before = await closed.locator('tbody tr').count()
    await shown.venue.post('/orders', marketOrder({ direction: 'short' }))
    await expect.poll(() => page.getByRole('button', { name: /^Close short/ }).count(), PATIENTLY).toBe(1)
    const { body } = await shown.venue.get(`/positions/${ALICE.accountId}/active`)
    const short = body.find(({ direction }: { direction: string }) => direction === 'short')
    const { idx: positionId, size: amount } = short
    const close = { positionId, direction: 'short', amount, accountId: ALICE.accountId, marketId: BTC }
    expect((await shown.venue.post('/orders', { ...close, type: 'take', triggerPrice: '0' })).status).toBe(
      201,
    )
    await expect.poll(() => closed.locator('tbody tr').count(), PATIENTLY).toBe(before + 1)
    expect(await closed.locator('tbody tr').first().textContent()).toMatch(/short.*closed/)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('orders that have ended are listed, with what became of each, as it happens', async () => {
    const own = await consoleVenue()
    const { page, complaints } = await openConsole(shown.browser, own)
    await signIn(page, ALICE.session)
    await page.waitForSelector('.connection.live')
    const ended = page.locator('section', { has: page.locator('#ended-title') })
    const tells = (row: RegExp) => expect.poll(() => ended.textContent(), PATIENTLY).toMatch(row)
    const place = async (amount: number, terms: object) => {
      const order = limitOrder({ amount: String(fp9(String(amount))), ...terms })
      const { status, body } = await own.post('/orders', order)
      expect(status).toBe(201)
      return `/orders/${body.id}`
    }
    expect((await own.post('/orders', LONG)).status).toBe(201)
    await own.call('DELETE', await place(101, { triggerPrice: '46000000000000' }))
    await place(104, { triggerPrice: '30000000000000' })
    await place(103, { triggerPrice: '49500000000000' })
    await own.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '49400000000000' })
    await tells(/Market1,000\.00 USD at 5xfilled at once at index 50,000\.00/)
    await tells(/Limit101\.00 USD at 5xcanceled: by you/)
    await tells(/Limit103\.00 USD at 5xfilled at index 49,400\.00: it waited for 49,500\.00/)
    await own.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '40000000000000' })
    await tells(/Liquidation.*liquidated at index 40,000\.00/)
    await tells(
      /Stop-loss0\.0995 BTCfilled at index 40,000\.00: it waited for 48,000\.00, attached to its entry−989/,
    )
    await tells(/Limit104\.00 USD at 5xcanceled: evaluation failed/)
    expect(complaints).toEqual([])
    await page.close()
    await own.venue.close()
  })

  test('a limit of the size says beforehand what it would stop', async () => {
    const { page, complaints } = await openedByAlice()
    const ticket = page.locator('form.ticket')
    await ticket.getByLabel('Amount').fill('100')
    await ticket.getByLabel('Smallest size').fill('1')
    await expect.poll(() => ticket.locator('[role=alert]').count(), PATIENTLY).toBe(1)
    expect(await ticket.getByLabel('Smallest size').getAttribute('aria-invalid')).toBe('true')
    await ticket.getByRole('button', { name: 'Short' }).click()
    await expect.poll(() => ticket.locator('[role=alert]').count(), PATIENTLY).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('an order is written, previewed, refused at its field, and placed once', async () => {
    const { page, complaints } = await openedByAlice()
    const ticket = page.locator('form.ticket')
    const submit = ticket.locator('button[type=submit]')
    await ticket.getByLabel('Amount').fill('100')
    await ticket.getByLabel('Stop-loss (optional)').fill('51000')
    await expect.poll(() => ticket.locator('[role=alert]').count(), PATIENTLY).toBe(1)
    expect(await ticket.getByLabel('Stop-loss (optional)').getAttribute('aria-invalid')).toBe('true')
    expect(await submit.isDisabled()).toBe(true)
    await ticket.getByLabel('Stop-loss (optional)').fill('')
    await ticket.getByRole('button', { name: 'Short' }).click()
    expect(await ticket.locator('.preview').textContent()).toMatch(/Notional497\.50Margin99\.50Fee0\.50/)
    await submit.click()
    await expect
      .poll(() => page.locator('#positions-title').locator('../..').textContent(), PATIENTLY)
      .toContain('short')
    const { body } = await shown.venue.get(`/positions/${ALICE.accountId}/active`)
    const margins = body.map(({ direction, margin }: Record<string, string>) => [direction, margin])
    expect(margins).toContainEqual(['short', '99500000000'])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a position is given margin, closed in part, and in whole, after a confirmation', async () => {
    const { page, complaints } = await openedByAlice()
    await page.getByRole('button', { name: 'Margin of short BTC/USD' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Amount').fill('50')
    await dialog.getByRole('button', { name: 'Add margin' }).click()
    const row = page.locator('#positions-title').locator('../..').locator('tr', { hasText: 'short' })
    await expect.poll(() => row.locator('[data-label=Margin]').textContent(), PATIENTLY).toBe('149.50')
    await page.getByRole('button', { name: 'Close short BTC/USD' }).click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(1)
    // It is in the page a moment before it hears the keyboard.
    const afterEscape = async () => {
      await page.keyboard.press('Escape')
      return dialog.count()
    }
    await expect.poll(afterEscape, PATIENTLY).toBe(0)
    for (const [share, action] of [
      ['50%', 'Close this part'],
      ['100%', 'Close all of it'],
    ] as const) {
      await page.getByRole('button', { name: 'Close short BTC/USD' }).click()
      await dialog.getByRole('button', { name: share }).click()
      await dialog.getByRole('button', { name: action }).click()
      await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    }
    await expect.poll(() => row.count(), PATIENTLY).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('says in a sentence why a token is refused, and keeps it in this tab alone', async () => {
    const { page, complaints } = await shown.open()
    await signIn(page, 'nobodys')
    expect(await page.locator('[role=alert]').textContent()).toMatch(/^The .* revoked or refreshed\.$/)
    expect(complaints).toEqual([])
    await signIn(page, ALICE.key)
    await page.waitForSelector('.connection.live')
    expect(await page.evaluate('[Object.keys(localStorage), document.cookie]')).toEqual([[], ''])
    await page.reload()
    await page.waitForSelector('.connection.live')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForSelector('input[name=token]')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.close()
  })

  test('runs nothing but its own files', async () => {
    const { page, complaints } = await shown.open()
    const policy =
      (await shown.venue.get('/console', { key: null })).headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(complaints).toEqual([])
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">')")
    await expect.poll(() => complaints.join(), PATIENTLY).toContain('Content Security Policy')
    await page.close()
  })
})

async function top(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).boundingBox())?.y ?? Number.NaN
}

/** Of the lists, the buttons and numbers that are not wholly in view. */
const CUT_OFF = `
  [...document.querySelectorAll('.desk-lists .scroll')].flatMap((list) => {
    const { right } = list.getBoundingClientRect()
    return [...list.querySelectorAll('button, td')]
      .filter((part) => part.getBoundingClientRect().right > right + 1 || part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.textContent)
  })`

/** From now on, what of the page moves without having been touched, and how far. */
const SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push([value, ...sources.map(({ node }) => node?.parentElement?.outerHTML)])
  }).observe({ type: 'layout-shift' })`
