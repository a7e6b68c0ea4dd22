// A day on the trader's page leaves nothing behind: every tick of it is heard, what is left at the end of a minute is drawn, and all is forgotten.

import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ALICE, BTC, GOLD, limitOrder, marketOrder } from '../host/venue.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { hasChromium } from './chromium.ts'
import { consoleInBrowser } from './consoleInBrowser.ts'
import { signIn } from './consoleVenue.ts'

/** Seconds of the venue that are told at once, then drawn: a tick of both markets and an equity in each. */
const STEP = 60
/** By then two hours of prices are kept, and the first of them have gone. */
const [SETTLED, LENGTH, ORDER_EVERY] = [9_000, 86_400, 900]
const MOST_GROWTH = 1_048_576
/** What a change of the garbage collector's mood may leave of what is not on the page any more. */
const MOST_NODES = 200

/** Between the venue's stream and the page: what the test tells comes in as if the venue had. */
const TOLD = `
  const real = window.fetch
  window.fetch = async (input, init) => {
    const response = await real(input, init)
    if (!String(input?.url ?? input).includes('/stream') || !response.ok) return response
    const both = new ReadableStream({
      async start(controller) {
        window.tell = (text) => controller.enqueue(new TextEncoder().encode(text))
        for await (const chunk of response.body) controller.enqueue(chunk)
      },
    })
    return new Response(both, response)
  }`

describe.skipIf(!hasChromium || !NIGHTLY)('a day of the console', () => {
  const shown = consoleInBrowser()

  test('its heap and its page are as large at the end as after two and a half hours', {
    timeout: 3_600_000,
  }, async () => {
    expect(
      (await shown.venue.post('/orders', marketOrder({ stopTriggerPrice: '48000000000000' }))).status,
    ).toBe(201)
    const { page, complaints } = await shown.open({ before: TOLD })
    await signIn(page, ALICE.session)
    await page.waitForSelector('.plot canvas')
    const debugging = await page.context().newCDPSession(page)
    const start = Date.parse('2026-01-05T00:10:00.000Z')
    let settled = await sizeOf(page, debugging)
    for (let second = 0; second < LENGTH; second += STEP) {
      if (second === SETTLED) settled = await sizeOf(page, debugging)
      if (second % ORDER_EVERY === 0) await placeAndCancel()
      await page.evaluate(TELL, {
        from: start + second * 1_000,
        steps: STEP,
        markets: [BTC, GOLD],
        accountId: ALICE.accountId,
      })
    }
    const end = await sizeOf(page, debugging)
    expect(await page.locator('.index-price').textContent()).toBe(priceAt(LENGTH - 1))
    console.log(
      `heap ${settled.bytes} then ${end.bytes}, nodes ${settled.nodes} then ${end.nodes}, listeners ${settled.listeners} then ${end.listeners}`,
    )
    expect(end.bytes - settled.bytes).toBeLessThan(MOST_GROWTH)
    expect(end.nodes - settled.nodes).toBeLessThan(MOST_NODES)
    expect(end.listeners).toBeLessThanOrEqual(settled.listeners + MOST_NODES)
    expect(complaints).toEqual([])
    await page.close()
  })

  async function placeAndCancel(): Promise<void> {
    const { body } = await shown.venue.post('/orders', limitOrder({ triggerPrice: '47000000000000' }))
    await shown.venue.delete(`/orders/${body.id}`)
  }
})

interface Size {
  readonly bytes: number
  readonly nodes: number
  readonly listeners: number
}

async function sizeOf(page: Page, debugging: CDPSession): Promise<Size> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  // What is only reachable from what the first collection finalizes goes with the second.
  for (let time = 0; time < 2; time++) await debugging.send('HeapProfiler.collectGarbage')
  const { usedSize: bytes } = await debugging.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners: listeners } = await debugging.send('Memory.getDOMCounters')
  return { bytes, nodes, listeners }
}

/** As the page is told of a second: 50,000 and up to 99.99 more. */
const priceAt = (second: number) => `50,0${String(second % 100).padStart(2, '0')}.00`

interface Told {
  readonly from: number
  readonly steps: number
  readonly markets: readonly string[]
  readonly accountId: string
}

/** Runs in the page: tells some seconds, and waits until they have been drawn. */
const TELL = async ({ from, steps, markets, accountId }: Told) => {
  const page = globalThis as unknown as {
    tell(text: string): void
    requestAnimationFrame(task: () => void): void
  }
  let text = ''
  for (let step = 0; step < steps; step++) {
    const [at, second] = [new Date(from + step * 1_000).toISOString(), Math.round(from / 1_000) + step]
    const indexPrice = `${50_000 + ((second - 1_767_571_800) % 100)}000000000`
    const say = (message: object) => `id: 1\ndata: ${JSON.stringify({ seq: 1, at, ...message })}\n\n`
    for (const marketId of markets)
      text += say({ type: 'price', data: { marketId, indexPrice, updatedAt: at } })
    const figures = { currentEquity: `${10_000 + (second % 100)}000000000`, unrealizedPnl: '0' }
    const data = { ...figures, dailyLossRemaining: '1000000000', totalLossRemaining: '1000000000' }
    text += say({ type: 'equity', accountId, data })
  }
  page.tell(text)
  await new Promise<void>((resolve) => page.requestAnimationFrame(() => setTimeout(resolve)))
}
