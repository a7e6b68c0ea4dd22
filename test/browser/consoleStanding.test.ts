// What the console says is so: of tokens, of accounts that do not trade, of refusals that are over, and of what ended meanwhile.

import { describe, expect, test } from 'vitest'
import { ALICE, BTC, marketOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { PATIENTLY, signIn } from './consoleVenue.ts'

describe.skipIf(!hasChromium)('the console says', () => {
  const shown = consoleInBrowser()

  const { accountId } = ALICE
  async function opened(token: string) {
    const { page, complaints } = await shown.open()
    await signIn(page, token)
    const own = () => complaints.filter((complaint) => !/Failed to load resource/.test(complaint))
    return { page, own }
  }

  test('that a text is no token, and not that the venue does not answer', async () => {
    const { page, own } = await opened('“pasted”')
    const alert = page.getByRole('alert')
    for (const token of ['“pasted”', 'two words', 'ключ', `${ALICE.session}\u200b`]) {
      await signIn(page, token)
      await expect.poll(() => alert.allTextContents(), PATIENTLY).toEqual([expect.stringMatching(/no token/)])
      expect(await page.locator('input[name=token]').inputValue()).toBe(token)
    }
    await signIn(page, ` Bearer ${ALICE.session} `)
    await page.waitForSelector('.connection.live')
    expect(own()).toEqual([])
    await page.close()
  })

  test('why an account does not trade, wherever that matters, and no longer once it does', async () => {
    const { page, own } = await opened(ALICE.session)
    await page.waitForSelector('.connection.live')
    const ticket = page.locator('form.ticket')
    const send = ticket.locator('button[type=submit]')
    await ticket.getByLabel('Amount').fill('100')
    const obstacle = page.getByRole('status', { name: 'Whether the account trades' })
    for (const [stop, go, said, refused] of [
      [
        { type: 'setAccountLock', accountId, locked: true },
        { type: 'setAccountLock', accountId, locked: false },
        /locked: positions can be closed/,
        /locked/,
      ],
      [
        { type: 'stopAccount', accountId, reason: 'freeze' },
        { type: 'unfreezeAccount', accountId },
        /frozen: it trades again when the next day begins/,
        /no longer trading/,
      ],
    ] as const) {
      await shown.venue.operate(stop)
      await expect.poll(() => obstacle.textContent(), PATIENTLY).toMatch(said)
      expect(await ticket.getByRole('alert').allTextContents()).toEqual([expect.stringMatching(refused)])
      expect(await send.isDisabled()).toBe(true)
      if (stop.type === 'stopAccount')
        expect(await page.locator('#evaluation-title').locator('..').textContent()).toBe('Evaluationfrozen')
      await shown.venue.operate(go)
      await expect.poll(() => obstacle.textContent(), PATIENTLY).toBe('')
      expect(await ticket.getByRole('alert').count()).toBe(0)
      expect(await send.isEnabled()).toBe(true)
    }
    expect(own()).toEqual([])
    await page.close()
  })

  test('what margin a position cannot have or spare before it is sent, and of a refusal nothing once something else is typed', async () => {
    expect((await shown.venue.post('/orders', marketOrder())).status).toBe(201)
    const { page, own } = await opened(ALICE.session)
    await page.getByRole('button', { name: 'Margin of long BTC/USD' }).click()
    const dialog = page.locator('dialog')
    const amount = dialog.getByLabel('Amount')
    const send = dialog.locator('button[type=submit]')
    await amount.fill('99999')
    expect(await dialog.getByRole('alert').allTextContents()).toEqual([expect.stringMatching(/free balance/)])
    await dialog.getByRole('button', { name: 'Out' }).click()
    for (const [text, isRefused] of [
      ['985', true],
      ['99999', true],
      ['5', false],
    ] as const) {
      await amount.fill(text)
      expect([text, await dialog.getByRole('alert').count(), await send.isDisabled()]).toEqual([
        text,
        isRefused ? 1 : 0,
        isRefused,
      ])
    }
    await shown.venue.operate({ type: 'setMarketStatus', marketId: BTC, status: 'paused' })
    await send.click()
    await expect
      .poll(() => dialog.getByRole('alert').allTextContents(), PATIENTLY)
      .toEqual(['The market is paused.'])
    await amount.fill('6')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await shown.venue.operate({ type: 'setMarketStatus', marketId: BTC, status: 'open' })
    await send.click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(own()).toEqual([])
    await page.close()
  })

  test('what a close costs after the first minute too, and why its dialog is gone when the position is', async () => {
    expect((await shown.venue.post('/orders', marketOrder())).status).toBe(201)
    const { page, own } = await opened(ALICE.session)
    await page.waitForSelector('.connection.live')
    const twice = { scalpingWindowMs: 180_000, scalpingCoefficient: '2000000000' }
    await shown.venue.operate({ type: 'configureMarket', market: { id: BTC, ...twice } })
    await shown.venue.operate({ type: 'advanceTime', ms: 61_000 })
    await shown.venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' })
    await page.reload()
    await page.getByRole('button', { name: 'Close long BTC/USD' }).click()
    const dialog = page.locator('dialog')
    await expect.poll(() => dialog.textContent(), PATIENTLY).toContain('Spread, closed so soon2x')
    await shown.venue.post(`/positions/${accountId}/close-all`)
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    await expect
      .poll(() => page.locator('.announcements').textContent(), PATIENTLY)
      .toBe('The position long BTC/USD has ended meanwhile.')
    // Whoever goes by keyboard goes on where the row was.
    await expect.poll(() => page.evaluate('document.activeElement.id'), PATIENTLY).toBe('positions-title')
    expect(own()).toEqual([])
    await page.close()
  })

  test('that a venue is lost once nothing has been heard of it for 20 s, and no sooner', async () => {
    const { page } = await opened(ALICE.session)
    const connection = page.locator('.connection')
    await page.waitForSelector('.connection.live')
    await page.clock.install()
    // What is heard now begins the time anew, on the clock of the test.
    await shown.venue.tick('50002000000000')
    await expect.poll(() => page.locator('body').textContent(), PATIENTLY).toContain('50,002')
    await page.route('**/stream*', (route) => route.abort())
    await page.clock.fastForward(14_000)
    expect(await connection.getAttribute('class')).toContain('live')
    await page.clock.fastForward(7_000)
    // The clock of the test goes on by itself.
    const soon = { timeout: 12_000, interval: 50 }
    await expect.poll(() => connection.getAttribute('class'), soon).toContain('lost')
    await page.close()
  })

  test('under which name a command will stand in the log', async () => {
    const { page, own } = await opened(OPERATOR)
    await page.click('nav a[href="#markets"]')
    await page.getByRole('button', { name: 'Pause: BTC' }).click()
    const dialog = page.locator('dialog')
    await expect.poll(() => dialog.textContent(), PATIENTLY).toContain('under the name operator,')
    expect(own()).toEqual([])
    await page.close()
  })
})
