// The console as operators see it.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { COMMAND_ROLES } from '../../src/host/platformCommand.ts'
import { ALICE, BTC, marketOrder, OPERATOR } from '../host/venue.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { DESK, OVERHANG, PATIENTLY, PHONE, signIn } from './consoleVenue.ts'

const VIEWS = ['accounts', 'exposure', 'markets', 'log', 'commands', 'health']

describe.skipIf(!hasChromium)("the operator's console", () => {
  const shown = consoleInBrowser(async (venue) => {
    expect((await venue.post('/orders', marketOrder({ stopTriggerPrice: '48000000000000' }))).status).toBe(
      201,
    )
  })

  async function opened(size = DESK) {
    const { page, complaints } = await shown.open({ size })
    await signIn(page, OPERATOR)
    await page.waitForSelector('nav a')
    return { page, complaints }
  }
  const shows = (page: Page, text: string | RegExp) =>
    expect.poll(() => page.locator('main').textContent(), PATIENTLY).toMatch(text)

  test.each([DESK, PHONE])('every view has what it should, on %o', async (size) => {
    const { page, complaints } = await opened(size)
    const expected = [
      /1–2 of 2/,
      /10%55,000\.00/,
      /simulated|operator/,
      /place order/,
      /adjust balance/,
      /All is well/,
    ]
    for (const [at, view] of VIEWS.entries()) {
      await page.click(`nav a[href="#${view}"]`)
      await shows(page, expected[at] as RegExp)
      expect([view, await page.evaluate(OVERHANG)]).toEqual([view, 0])
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  test('an account is found, and why its position is what it is', async () => {
    const { page, complaints } = await opened()
    await page.getByLabel('Part of an id').fill(ALICE.accountId)
    await shows(page, '1–1 of 1')
    await page.locator('tbody a').click()
    await page.getByRole('button', { name: 'Why this position' }).click()
    await shows(page, /order executed/)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the life of an account is told step by step, each with its cause, and grows', async () => {
    const { page, complaints } = await opened()
    await page.goto(`${shown.venue.venue.url}/console#accounts/${ALICE.accountId}`)
    const life = page.locator('.life')
    await expect
      .poll(() => life.textContent(), PATIENTLY)
      .toMatch(/order executed.*order placed.*account opened/s)
    await life.locator('summary', { hasText: 'order executed' }).click()
    await expect.poll(() => life.textContent(), PATIENTLY).toMatch(/Why.*place order request.*order placed/s)
    await shown.venue.post(
      '/operator/commands',
      { type: 'adjustBalance', accountId: ALICE.accountId, amount: '-5000000000' },
      { key: OPERATOR },
    )
    const newest = life.locator('summary').first()
    await expect
      .poll(() => newest.textContent(), PATIENTLY)
      .toMatch(/balance adjusted −5.00 adjust balance by operator/)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('of a cluster it shows which node has which shard, and looks at the shard that is chosen', async () => {
    const { page, complaints } = await opened()
    const shard = (number: number, owner: string | null, at: string | null) => ({
      shard: number,
      owner,
      epoch: 3,
      head: 70 + number,
      durableHead: 70,
      at,
    })
    const shards = [
      shard(0, 'north', '2026-01-05T00:10:00.000Z'),
      shard(1, 'south', null),
      shard(2, null, null),
    ]
    await page.route('**/operator/health', (route) =>
      route.fulfill({ json: { status: 'ok', reason: null, node: 'north', shards } }),
    )
    await page.reload()
    await page.click('nav a[href="#health"]')
    await shows(
      page,
      /Shards 1, 2 do not answer.*Without a node.*23722does not answer.*north \(this one\).*03700.*south.*13711does not answer/s,
    )
    await page.setViewportSize(PHONE)
    expect(await page.locator('.node td[data-label=Shard]').allTextContents()).toEqual(['2', '0', '1'])
    await page.setViewportSize(DESK)
    await page.getByLabel('Shard that is looked at').selectOption('1')
    await Promise.all([
      page.waitForRequest(/operator\/exposure\?shard=1$/),
      page.click('nav a[href="#exposure"]'),
    ])
    // Of a shard that this venue does not have.
    expect(complaints.filter((complaint) => !/400/.test(complaint))).toEqual([])
    await page.close()
  })

  test('a market shows where its price comes from and what holds there', async () => {
    const { page, complaints } = await opened()
    await page.click('nav a[href="#markets"]')
    await page.getByRole('button', { name: 'Sources and parameters of BTC' }).click()
    await shows(page, /own feed: operator.*fee rate0\.1000%|fee rate/s)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a command is written, looked at and sent, and stands in the log', async () => {
    const { page, complaints } = await opened()
    await page.click('nav a[href="#commands"]')
    const look = page.getByRole('button', { name: 'See what it would do' })
    await look.click()
    expect(await page.locator('input[aria-invalid=true]').count()).toBe(2)
    await page.getByLabel('account id').fill(ALICE.accountId)
    await page.getByLabel('amount').fill('1,000.5')
    await look.click()
    // Shown and not done: balance before and after, what it moves, its event.
    const dialog = page.locator('dialog')
    await expect
      .poll(() => dialog.textContent(), PATIENTLY)
      .toMatch(/Balance9,99\d\.0010,99\d\.50.*1 posting.*balance adjusted \+1,000\.50/s)
    const head = shown.venue.venue.engine.head
    await page.getByRole('button', { name: 'Send it' }).click()
    await expect.poll(() => dialog.count(), PATIENTLY).toBe(0)
    expect(shown.venue.venue.engine.head).toBe(head + 1)
    const { body } = await shown.venue.get('/operator/commits?limit=1000', { key: OPERATOR })
    const adjusted = body.data.at(-1).command
    expect(adjusted).toEqual({
      type: 'adjustBalance',
      commandId: expect.stringMatching(/^[0-9a-f]{32}$/),
      accountId: ALICE.accountId,
      amount: '1000500000000',
    })
    await page.click('nav a[href="#log"]')
    await shows(page, /adjust balance by operator/)
    await page.locator('summary', { hasText: 'adjust balance' }).first().click()
    await shows(page, /Postings.*1,000\.5.*−1,000\.5/s)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('every platform command has a form', async () => {
    const { page, complaints } = await opened()
    await page.click('nav a[href="#commands"]')
    const types = page.locator('form.command select').first()
    await types.locator('option').first().waitFor({ state: 'attached' })
    const offered = await types.locator('option').evaluateAll((options) => {
      return (options as unknown as { value: string }[]).map(({ value }) => value)
    })
    expect(offered.sort()).toEqual(Object.keys(COMMAND_ROLES).sort())
    for (const type of offered) {
      await types.selectOption(type)
      expect([type, await page.locator('form.command .field').count()]).not.toEqual([type, 0])
      expect([type, await page.getByRole('button', { name: 'See what it would do' }).count()]).toEqual([
        type,
        1,
      ])
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a refusal is a sentence', async () => {
    const { page } = await opened()
    await page.click('nav a[href="#commands"]')
    await page.getByLabel('account id').fill(BTC)
    await page.getByLabel('amount').fill('1')
    await page.getByRole('button', { name: 'See what it would do' }).click()
    await expect
      .poll(() => page.locator('dialog .would').textContent(), PATIENTLY)
      .toMatch(/^It would be refused: There is no such account/)
    await page.getByRole('button', { name: 'Send it' }).click()
    await expect
      .poll(() => page.locator('dialog [role=alert]').textContent(), PATIENTLY)
      .toMatch(/^There is no such account/)
    await page.close()
  })
})
