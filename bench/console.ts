// How soon the console is there, and a price on it: 50 markets that all move, 200 open positions in two accounts of a user.
// npx tsx bench/console.ts [ticks, at most 99]

import { readConfiguration } from '../src/host/configuration.ts'
import { serveVenue } from '../src/host/serveVenue.ts'
import { Browser, hasChromium } from '../test/browser/chromium.ts'

const TICKS = Number(process.argv[2] ?? 50)
const [MARKETS, TOKEN, OPERATOR] = [50, 'session-of-the-bench', 'operator-of-the-bench']
const USER = 'a0000000-0000-4000-8000-000000000001'
const ACCOUNTS = ['a0000000-0000-4000-8000-0000000000a1', 'a0000000-0000-4000-8000-0000000000a2']
const marketId = (at: number) => `b0000000-0000-4000-8000-${String(at).padStart(12, '0')}`
/** The venue tells four prices a second and market. */
const BETWEEN_TICKS_MS = 300

const venue = await serveVenue({
  configuration: readConfiguration(
    new TextEncoder().encode(
      JSON.stringify({
        clock: { mode: 'system' },
        operatorToken: OPERATOR,
        rateLimit: null,
        markets: Array.from({ length: MARKETS }, (_, at) => ({
          id: marketId(at),
          baseAsset: `A${at}`,
          ticker: `A${at}/USD`,
          category: 'crypto',
          indexPrice: '1000 USD',
          // How soon a price is seen is measured, not how soon a loaded machine has opened 200 positions at one.
          maxPriceAgeMs: 3_600_000,
        })),
        users: [{ id: USER, sessionToken: TOKEN, apiKeys: [] }],
        accounts: ACCOUNTS.map((id) => ({ id, userId: USER, balance: '1000000 USD' })),
      }),
    ),
  ),
  port: 0,
})

async function post(path: string, token: string, body: object): Promise<void> {
  const response = await fetch(venue.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Every market at another price; the first one's says which tick it is. */
const tick = (count: number) =>
  post(
    '/operator/commands',
    OPERATOR,
    Array.from({ length: MARKETS }, (_, at) => ({
      type: 'updatePrice',
      marketId: marketId(at),
      indexPrice: String(1_000_000_000_000n + BigInt(count) * 10_000_000n),
    })),
  )

await tick(0)
for (const accountId of ACCOUNTS)
  for (let at = 0; at < MARKETS; at++)
    for (const direction of ['long', 'short'])
      await post('/orders', TOKEN, {
        accountId,
        marketId: marketId(at),
        type: 'market',
        direction,
        amount: '1000000000000',
        leverage: '5000000000',
      })

if (!hasChromium) process.exit(1)
const browser = await Browser.start({ offline: false })
const page = await browser.page()
/** When the page has a piece of the stream with the first market's price, and when its script has written that. */
await page.addInitScript(`
  const real = window.fetch
  window.fetch = async (input, init) => {
    const response = await real(input, init)
    if (!String(input?.url ?? input).includes('/stream') || !response.ok) return response
    const hear = new TransformStream({
      transform(chunk, controller) {
        if (new TextDecoder().decode(chunk).includes('"price"')) window.heardAt ??= Date.now()
        controller.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(hear), response)
  }
  window.watch = () => new MutationObserver(() => { window.writtenAt = Date.now() }).observe(
    document.querySelector('.index-price'), { characterData: true, childList: true, subtree: true })`)
await page.goto(`${venue.url}/console`)
await page.goto(`${venue.url}/console`)
const painted = await (
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
).jsonValue()
await page.fill('input[name=token]', TOKEN)
await page.click('button[type=submit]')
await page.waitForSelector('.connection.live')

const shown = (text: string) =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => document.querySelector('.index-price').textContent === '${text}'
      ? resolve(Date.now())
      : requestAnimationFrame(look)
    look()
  })`) as Promise<number>

const devtools = await page.context().newCDPSession(page)
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
const PARTS = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const
/** What the page's own thread has worked: in all, in scripts, on styles and on the layout, ms of the processor. */
async function worked(): Promise<number[]> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return PARTS.map((part) => (metrics.find(({ name }) => name === part)?.value ?? 0) * 1_000)
}

await page.evaluate('window.watch()')
const latencies: number[] = []
/** Of each tick, ms: until the venue has answered, until the page has heard, until it is written, until its frame. */
const parts: number[][] = []
const before = await worked()
for (let count = 1; count <= TICKS; count++) {
  const seen = shown(`1,000.${String(count).padStart(2, '0')}`)
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_TICKS_MS))
  await page.evaluate('delete window.heardAt')
  const begun = Date.now()
  await tick(count)
  const answered = Date.now()
  const frameAt = await seen
  const { heardAt, writtenAt } = (await page.evaluate('({ heardAt, writtenAt })')) as Record<string, number>
  latencies.push(frameAt - begun)
  parts.push([answered, heardAt, writtenAt, frameAt].map((at) => Number(at) - begun))
}
const work = (await worked()).map((ms, part) => (ms - (before[part] as number)) / TICKS)
latencies.sort((a, b) => a - b)
const rows = await page.locator('#positions-title').locator('../..').locator('tbody tr').count()
const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)]
console.log(
  `first paint ${Math.round(Number(painted))} ms; ${MARKETS} markets, ${rows} of 200 positions in view`,
)
console.log(
  `a tick of all markets to the frame that shows it: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, most ${at(1)} ms`,
)
const medianPart = (part: number) => {
  const times = parts.map((one) => one[part] as number).sort((a, b) => a - b)
  return times[Math.floor((times.length - 1) / 2)]
}
console.log(
  `of it, medians: answered by the venue ${medianPart(0)} ms, heard by the page ${medianPart(1)} ms, written ${medianPart(2)} ms, its frame ${medianPart(3)} ms after the tick was sent`,
)
const [all, script, style, layout] = work.map((ms) => ms.toFixed(1))
console.log(
  `the page's own thread works ${all} ms of the processor for such a tick: script ${script}, style ${style}, layout ${layout}`,
)
await browser.end()
await venue.close()
