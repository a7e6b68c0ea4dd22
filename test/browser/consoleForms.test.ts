// Every form of the console with everything that an attempt can come to, on the smallest phone, in both themes.

import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { COMMAND_ROLES } from '../../src/host/platformCommand.ts'
import { IS_BRIEF } from '../atLength.ts'
import { ALICE, BTC, limitOrder, marketOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { OVERHANG, PATIENTLY, signIn } from './consoleVenue.ts'

const SMALL = { width: 360, height: 740 }

const refused = (statusCode: number, error: string, message: string, headers = {}) => ({
  said: message,
  answer: (route: Route) =>
    route.fulfill({ status: statusCode, headers, json: { statusCode, error, message } }),
})

/** What may come of sending a form that is well written. */
const ATTEMPTS: Readonly<Record<string, { said: string; answer: (route: Route) => Promise<void> }>> = {
  'the host is gone': {
    said: 'The venue does not answer.',
    answer: (route) => route.abort('connectionrefused'),
  },
  'the key was revoked': refused(401, 'unauthorized', 'The token is not known.'),
  'too many requests': {
    ...refused(429, 'api_key_rate_limit_exceeded', 'The key has used up a rate limit window.', {
      'retry-after': '3',
    }),
    said: 'Too many requests: try again in 3 s.',
  },
  'the engine has stopped': refused(503, 'engine_stopped', 'The engine has stopped.'),
  'another answers': {
    said: 'The venue answered with status 502.',
    answer: (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  },
  'the rules refuse it': refused(403, 'account_locked', 'The account is locked.'),
}

/** What is no amount, and what the form says of it. */
const NO_AMOUNTS = ['abc', '1.2.3', '0.0000000001', '--1', '1e5']

/** In brief one of them, each in its turn: every form meets some, and each is met by several forms. */
function inTurn<T>(all: readonly T[]): () => readonly T[] {
  let turn = 0
  return () => (IS_BRIEF ? [all[turn++ % all.length] as T] : all)
}
const attempts = inTurn(Object.entries(ATTEMPTS))
const noAmounts = inTurn(NO_AMOUNTS)

const NOT_A_NUMBER = /not a number with at most nine decimals/

describe.skipIf(!hasChromium)('every form says what came of it', () => {
  let isDark = false
  const shown = consoleInBrowser(async (venue) => {
    for (const order of [marketOrder({ stopTriggerPrice: '48000000000000' }), limitOrder()])
      expect((await venue.post('/orders', order)).status).toBe(201)
  })

  const active = async (of: 'orders' | 'positions') =>
    (await shown.venue.get(`/${of}/${ALICE.accountId}/active`)).body as Record<string, string>[]

  async function opened(token: string) {
    const { page, complaints } = await shown.open({ size: SMALL })
    await signIn(page, token)
    // That an answer is none that one hopes for the browser tells by itself.
    const own = () => complaints.filter((complaint) => !/Failed to load resource/.test(complaint))
    return { page, own }
  }

  /** Sends it once for each of the attempts, and sees what stands at the form. */
  async function attempted(page: Page, form: Locator, send: Locator, typed: Locator): Promise<string[]> {
    const faults: string[] = []
    const kept = await typed.inputValue()
    if (await send.isDisabled()) return [`cannot be sent: ${await form.textContent()}`]
    let answer = (route: Route) => route.fallback()
    const meet = (route: Route) => (route.request().method() === 'GET' ? route.fallback() : answer(route))
    await page.route(/\/(orders|positions|operator\/commands)/, meet)
    for (const [what, attempt] of attempts()) {
      isDark = !isDark
      await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
      answer = attempt.answer
      await send.click()
      const alert = form.getByRole('alert').filter({ hasText: attempt.said })
      await alert
        .first()
        .waitFor({ timeout: 20_000 })
        .catch(() => {})
      if ((await alert.count()) !== 1) faults.push(`${what}: ${(await form.textContent()) ?? ''}`)
      else if (await page.evaluate(CUT)) faults.push(`${what}: cut off, or plain`)
      if ((await page.evaluate(OVERHANG)) !== 0) faults.push(`${what}: wider than the window`)
      if ((await typed.inputValue()) !== kept) faults.push(`${what}: not kept`)
      if (await send.isDisabled()) faults.push(`${what}: cannot be sent again`)
    }
    await page.unroute(/\/(orders|positions|operator\/commands)/, meet)
    return faults
  }

  /** What is no amount is said at its field, and is not sent. */
  async function misread(form: Locator, field: Locator, send: Locator): Promise<string[]> {
    const faults: string[] = []
    const right = await field.inputValue()
    for (const text of noAmounts()) {
      await field.fill(text)
      const described = (await field.getAttribute('aria-describedby')) ?? 'none'
      const said = (await form.locator(`[id="${described}"]`).allTextContents()).join()
      if (!NOT_A_NUMBER.test(said)) faults.push(`${text}: ${said}`)
      if (await send.isEnabled()) faults.push(`${text}: can be sent`)
    }
    await field.fill(right)
    return faults
  }

  test('the ticket of every type', async () => {
    const { page, own } = await opened(ALICE.session)
    const ticket = page.locator('form.ticket')
    const send = ticket.locator('button[type=submit]')
    const amount = ticket.getByLabel('Amount')
    const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      market: {},
      limit: { 'Trigger price': '49000' },
      stop_market: { 'Trigger price': '51000' },
      stop_limit: { 'Trigger price': '51000', 'Limit price once triggered': '50900' },
      stop: { 'Trigger price': '47000' },
      take: { 'Trigger price': '60000' },
      trailing_stop: { 'Distance in price': '2000' },
    }
    const seen: string[] = []
    for (const [type, told] of Object.entries(fields)) {
      await ticket.locator('select').first().selectOption(type)
      await amount.fill(type === 'stop' || type === 'take' || type === 'trailing_stop' ? '0.001' : '100')
      for (const [label, text] of Object.entries(told))
        await ticket.getByLabel(label, { exact: true }).fill(text)
      for (const field of [
        amount,
        ...Object.keys(told).map((label) => ticket.getByLabel(label, { exact: true })),
      ])
        seen.push(...(await misread(ticket, field, send)).map((fault) => `${type}, ${fault}`))
      seen.push(...(await attempted(page, ticket, send, amount)).map((fault) => `${type}, ${fault}`))
      for (const label of Object.keys(told)) await ticket.getByLabel(label, { exact: true }).fill('')
    }
    expect(seen).toEqual([])
    // What the rules would refuse: said before it is sent, at the amount.
    await ticket.locator('select').first().selectOption('market')
    for (const [text, said] of [
      ['99999999', /balance/],
      ['9'.repeat(60), /./],
      ['-5', /./],
      ['0', /./],
    ] as const) {
      await amount.fill(text)
      expect([text, await ticket.getByRole('alert').allTextContents()]).toEqual([
        text,
        [expect.stringMatching(said)],
      ])
      expect(await send.isDisabled()).toBe(true)
    }
    expect(own()).toEqual([])
    await page.close()
  })

  test('closing, moving margin, changing and canceling', async () => {
    const { page, own } = await opened(ALICE.session)
    const dialog = page.locator('dialog')
    const send = dialog.locator('button[type=submit]')
    const seen: string[] = []
    for (const [button, label, text] of [
      ['Close long BTC/USD', 'Size', '0.001'],
      ['Margin of long BTC/USD', 'Amount', '5'],
      ['Change the Stop-loss order on BTC/USD', 'Trigger price', '48500'],
      ['Change the Limit order on BTC/USD', 'Amount', '120'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      const field = dialog.getByLabel(label)
      await field.fill(text)
      seen.push(...(await misread(dialog, field, send)).map((fault) => `${button}, ${fault}`))
      for (const none of ['', '0', '-1']) {
        await field.fill(none)
        if (await send.isEnabled()) seen.push(`${button}, ${none} can be sent`)
        if (none !== '' && (await dialog.getByRole('alert').count()) !== 1)
          seen.push(`${button}, ${none}: nothing said`)
      }
      await field.fill(text)
      seen.push(...(await attempted(page, dialog, send, field)).map((fault) => `${button}, ${fault}`))
      await page.keyboard.press('Escape')
    }
    const row = page
      .locator('tr')
      .filter({ has: page.getByRole('button', { name: 'Cancel the Limit order on BTC/USD' }) })
    for (const [what, { said, answer }] of Object.entries(ATTEMPTS)) {
      await page.route(/\/orders\//, answer)
      await row.getByRole('button', { name: /^Cancel/ }).click()
      const alert = row.getByRole('alert').filter({ hasText: said })
      await alert.waitFor({ timeout: 20_000 }).catch(() => seen.push(`cancel, ${what}: nothing said`))
      if (await page.evaluate(CUT)) seen.push(`cancel, ${what}: cut off, or plain`)
      await page.unroute(/\/orders\//, answer)
    }
    expect(seen).toEqual([])
    expect(own()).toEqual([])
    await page.close()
  })

  test('what was done although its answer was lost is not done twice', async () => {
    const { page, own } = await opened(ALICE.session)
    const ticket = page.locator('form.ticket')
    const lose = async (route: Route) => {
      if (route.request().method() === 'GET') return route.fallback()
      await route.fetch()
      // As a proxy says it that has not waited for the answer.
      await route.fulfill({ status: 504, body: 'gateway timeout' })
    }
    const orders = async () => (await active('orders')).length
    const size = async () => (await active('positions'))[0]?.size
    const before = await orders()
    await ticket.locator('select').first().selectOption('limit')
    await ticket.getByLabel('Amount').fill('50')
    await ticket.getByLabel('Trigger price').fill('40000')
    await page.route(/\/orders$/, lose)
    await ticket.locator('button[type=submit]').click()
    await ticket.getByRole('alert').waitFor()
    await page.unroute(/\/orders$/, lose)
    await ticket.locator('button[type=submit]').click()
    await expect.poll(() => ticket.getByLabel('Amount').inputValue(), PATIENTLY).toBe('')
    expect(await orders()).toBe(before + 1)

    await page.getByRole('button', { name: 'Close long BTC/USD' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Size').fill('0.0005')
    await page.route(/\/orders$/, lose)
    await dialog.locator('button[type=submit]').click()
    await dialog.getByRole('alert').waitFor()
    await page.unroute(/\/orders$/, lose)
    const once = await size()
    await dialog.locator('button[type=submit]').click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(await size()).toBe(once)

    // Of these the venue keeps no key, and the form looks.
    const cut = async (route: Route) => {
      const request = route.request()
      if (request.method() === 'GET') return route.fallback()
      // Of two that are for one version of a position one is done.
      if (request.url().endsWith('/margin')) expect(request.headers()['if-match']).toMatch(/^"[1-9][0-9]*"$/)
      await route.fetch()
      await route.abort('connectionreset')
    }
    const changes = /\/(orders\/|positions\/.*\/margin)/
    const send = dialog.locator('button[type=submit]')
    const losing = async (button: string, label: string, text: string) => {
      await page.getByRole('button', { name: button }).first().click()
      await dialog.getByLabel(label).fill(text)
      await page.route(changes, cut)
      await send.click()
      await dialog.getByRole('alert').waitFor()
      await page.unroute(changes, cut)
    }
    const margin = async () => BigInt((await active('positions'))[0]?.margin ?? 0)
    const held = await margin()
    await losing('Margin of long BTC/USD', 'Amount', '5')
    await send.click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(await margin()).toBe(held + 5_000_000_000n)
    await losing('Margin of long BTC/USD', 'Amount', '6')
    await dialog.getByLabel('Amount').fill('7')
    await send.click()
    await expect.poll(() => dialog.getByRole('alert').textContent(), PATIENTLY).toMatch(/was done, although/)
    expect(await margin()).toBe(held + 11_000_000_000n)
    await send.click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(await margin()).toBe(held + 18_000_000_000n)

    const limits = async () =>
      (await active('orders')).filter(({ type }) => type === 'limit').map(({ id }) => id)
    const resting = await limits()
    await losing('Change the Limit order on BTC/USD', 'Amount', '60')
    const changed = await limits()
    expect(changed).not.toEqual(resting)
    await send.click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(await limits()).toEqual(changed)
    expect(own()).toEqual([])
    await page.close()
  })

  test("the operator's forms", async () => {
    const { page, own } = await opened(OPERATOR)
    const seen: string[] = []
    await page.click('nav a[href="#commands"]')
    const form = page.locator('form.command')
    const look = form.locator('button[type=submit]')
    const dialog = page.locator('dialog')
    const send = dialog.locator('button[type=submit]')
    for (const type of Object.keys(COMMAND_ROLES)) {
      await form.locator('select').first().selectOption(type)
      await look.click()
      const missing = await form.locator('[aria-invalid=true]').count()
      const told = await form.getByRole('alert').allTextContents()
      if (told.length !== missing || !told.every((text) => text.startsWith('This is needed.')))
        seen.push(`${type}, empty: ${missing} ${told.join()}`)
      if (await page.evaluate(CUT)) seen.push(`${type}, empty: cut off, or plain`)
      const fields = await form.locator('.filters').locator('input, select').all()
      for (const field of fields) {
        if ((await field.getAttribute('aria-invalid')) !== 'true') continue
        if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
          await field.selectOption({ index: 1 })
        else await field.fill('1')
      }
      if ((await page.evaluate(OVERHANG)) !== 0) seen.push(`${type}: wider than the window`)
      // Of one that needs nothing it was there at once.
      if ((await dialog.count()) === 0) await look.click()
      await dialog.locator('.would :is(.hint, .refusal)').first().waitFor()
      const faults = await attempted(page, dialog, send, fields[0] as Locator)
      seen.push(...faults.map((fault) => `${type}, ${fault}`))
      await dialog.getByRole('button', { name: 'Leave it' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await form.locator('select').first().selectOption('adjustBalance')
    await form.getByLabel('account id').fill(ALICE.accountId)
    const amount = form.getByLabel('amount')
    for (const text of NO_AMOUNTS) {
      await amount.fill(text)
      await look.click()
      if (!NOT_A_NUMBER.test((await form.getByRole('alert').allTextContents()).join()))
        seen.push(`amount ${text}`)
      if ((await page.locator('dialog').count()) !== 0) seen.push(`amount ${text} can be sent`)
    }
    await page.click('nav a[href="#markets"]')
    const pause = page.getByRole('button', { name: 'Pause: BTC' })
    await pause.click()
    await dialog.getByText(/Tried on a copy/).waitFor()
    for (const [what, { said, answer }] of Object.entries(ATTEMPTS)) {
      await page.route(/\/operator\/commands/, answer)
      await send.click()
      const alert = dialog.getByRole('alert').filter({ hasText: said })
      await alert.waitFor({ timeout: 20_000 }).catch(() => seen.push(`pause, ${what}: nothing said`))
      await page.unroute(/\/operator\/commands/, answer)
    }
    expect(seen).toEqual([])
    expect(shown.venue.venue.engine.read.marketStatus(BTC)).toBe('open')
    expect(own()).toEqual([])
    await page.close()
  }, 300_000)

  test('a command that was refused may be sent again when what it was refused for is gone', async () => {
    const { page, own } = await opened(OPERATOR)
    await page.click('nav a[href="#commands"]')
    await page.getByLabel('account id').fill(ALICE.accountId)
    await page.getByLabel('amount').fill('-20,000')
    await page.getByRole('button', { name: 'See what it would do' }).click()
    const dialog = page.locator('dialog')
    const send = dialog.getByRole('button', { name: 'Send it' })
    await send.click()
    await expect.poll(() => dialog.getByRole('alert').count(), PATIENTLY).toBe(1)
    const deposit = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '30000000000000' }
    expect(
      (await shown.venue.post('/operator/commands', deposit, { key: OPERATOR })).body.results[0].ok,
    ).toBe(true)
    await send.click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(own()).toEqual([])
    await page.close()
  })

  test('a token is kept, typed or before, while the venue does not say what it is good for', async () => {
    const { page, own } = await opened(OPERATOR)
    await page.waitForSelector('nav a')
    const token = page.locator('input[name=token]')
    for (const [what, { said, answer }] of Object.entries(ATTEMPTS).filter(
      ([name]) => !/key|rules|many/.test(name),
    )) {
      await page.route(/\/console\/sign-in/, answer)
      await page.reload()
      await expect.poll(() => page.getByRole('alert').allTextContents(), PATIENTLY).toEqual([said])
      expect([what, await token.inputValue()]).toEqual([what, OPERATOR])
      await page.unroute(/\/console\/sign-in/, answer)
    }
    await page.click('button[type=submit]')
    await page.waitForSelector('nav a')
    expect(own()).toEqual([])
    await page.close()
  })

  test('whoever trades with a key that is revoked is told at the way in', async () => {
    const { body } = await shown.venue.post('/user/api-keys', { name: 'phone' }, { key: ALICE.session })
    const { page, own } = await opened(body.key)
    await page.waitForSelector('.connection.live')
    expect(
      (await shown.venue.delete(`/user/api-keys/${body.id}`, { key: ALICE.session })).status,
    ).toBeLessThan(300)
    const told = () => page.locator('main.sign-in').getByRole('alert').allTextContents()
    await expect
      .poll(told, PATIENTLY)
      .toEqual(['You were signed out: the token was revoked or refreshed, or has expired.'])
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    expect(own()).toEqual([])
    await page.close()
  })

  test('a view that was never answered says that, and not that there is nothing', async () => {
    const { page, own } = await opened(OPERATOR)
    await page.route(/\/operator\/webhooks/, (route) => route.abort('connectionrefused'))
    await page.click('nav a[href="#health"]')
    const webhooks = page.getByRole('region', { name: 'Webhooks' })
    await expect.poll(() => webhooks.textContent(), PATIENTLY).toBe('WebhooksThe venue does not answer.')
    expect(own()).toEqual([])
    await page.close()
  })
})

/** Whether a part of a message is not seen, or looks like any other text. */
const CUT = `[...document.querySelectorAll('.refusal')].some((message) => {
  const { left, right } = message.getBoundingClientRect()
  const isPlain = getComputedStyle(message).color === getComputedStyle(message.parentElement).color
  return isPlain || left < 0 || right > innerWidth || message.scrollWidth > message.clientWidth + 1
})`
