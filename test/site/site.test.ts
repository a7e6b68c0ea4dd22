/** The pages of the site lead somewhere, their diagrams can be drawn, and the playground shows what the rules say. */
import { build } from 'esbuild'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sitePages } from '../../site/pages.ts'
import { diagramOf, pictureOf } from '../../site/pictures.ts'
import { FIRST_PRICE, PlaygroundMarket } from '../../site/playground/market.ts'
import { files, textOf } from '../tidy/sourceTree.ts'

const pages = sitePages()

test('every link within the site leads to a page of it', () => {
  const dead = [...pages].flatMap(([at, text]) =>
    [...text.matchAll(/\]\(\/([^)#]*)[^)]*\)|href="\/([^"]*)"/g)]
      .map(([, markdown, html]) => markdown ?? (html as string))
      .filter((to) => to !== '' && !pages.has(to) && !pages.has(to.replace(/\.html$/, '.md')))
      .filter((to) => !pages.has(`${to}index.md`))
      .map((to) => `${at}: ${to}`),
  )
  expect(dead).toEqual([])
})

test('the first page shows how it is embedded, and a backtest, as the README does', () => {
  const first = pages.get('index.md') as string
  expect(first).toMatch(/^## Embed it\n\n```ts\nimport \{ createEngine/m)
  expect(first).toMatch(/^## Backtest\n/m)
  expect(first).not.toContain('<!-- section')
})

test('the menu leads to pages, and to every page of docs', () => {
  const linked = [
    ...textOf('site/.vitepress/config.mjs').matchAll(/link: '\/([^']+)'/g),
    ...textOf('site/pages/index.md').matchAll(/link: \/([^\s#]+)/g),
  ].map(([, to]) => to as string)
  const named = [...textOf('site/.vitepress/config.mjs').matchAll(/page\('[^']+', '([^']+)'\)/g)]
  const all = [...linked, ...named.map(([, name]) => `docs/${name}`)]
  expect(all.filter((to) => !pages.has(`${to}.md`) && !pages.has(`${to}index.md`))).toEqual([])
  expect(named.map(([, name]) => `docs/${name}.md`).sort()).toEqual(
    files.filter((file) => /^docs\/[^/]+\.md$/.test(file)).sort(),
  )
})

test('the reference has every promised export, with what its docstring says', () => {
  const reference = pages.get('reference/margin-core.md') as string
  expect(reference).toContain('### createEngine\n')
  expect(reference).toMatch(/### reducePosition\n\n\w.+\n\n```ts\n/)
  expect(reference).toMatch(/### Query\n[^#]*Shown by the examples of \[\w+\]\(\/reference\//)
  expect([...pages.keys()].filter((at) => at.includes('internal'))).toEqual([])
})

const diagrams = files
  .filter((file) => file.startsWith('docs/') && file.endsWith('.md'))
  .flatMap((file) =>
    [...textOf(file).matchAll(/^```mermaid\n(.*?)^```$/gms)].map(([, text]) => text as string),
  )

test('every diagram is drawn, with all of its arrows', () => {
  expect(diagrams.length).toBeGreaterThan(4)
  for (const diagram of diagrams) {
    const { arrows, boxes } = diagramOf(diagram)
    const picture = pictureOf(diagram)
    expect(picture.match(/class="arrow"/g)?.length).toBe(arrows.length)
    const labels = arrows.filter(({ label }) => label !== '').length
    expect(picture.match(/<rect|<circle/g)?.length).toBe(boxes.size + labels)
    expect(picture).not.toContain('NaN')
  }
})

test('an arrow from a box to itself leaves it and comes back', () => {
  const picture = pictureOf('stateDiagram-v2\n  [*] --> a: begins\n  a --> a: again')
  const [, x = '', end = ''] = /d="M(\S+) \S+ C\S+ \S+ \S+ \S+ (\S+) \S+"/.exec(picture) ?? []
  expect([x !== '', x === end]).toEqual([true, true])
})

test('a line that is no arrow and no box is refused, and labels of one arrow stand together', () => {
  expect(() => diagramOf('stateDiagram-v2\n  a ==> b')).toThrow('not a line of a diagram: a ==> b')
  expect(diagramOf('stateDiagram-v2\n  a --> b: one\n  a --> b: two').arrows).toEqual([
    { from: 'a', to: 'b', label: 'one\ntwo' },
  ])
})

const ENTRY = { direction: 'long', amount: '1000', leverage: '10', stopPercent: 0 } as const

test('in the playground a position lives above the liquidation price shown, and dies at it', () => {
  const entries = fc.record({
    direction: fc.constantFrom('long', 'short'),
    amount: fc.integer({ min: 50, max: 2_000 }).map(String),
    leverage: fc.integer({ min: 3, max: 10 }).map(String),
    stopPercent: fc.constant(0),
  })
  fc.assert(
    fc.property(entries, (entry) => {
      const market = new PlaygroundMarket()
      market.open(entry)
      const [position] = market.shown().positions
      const level = position?.liquidation as number
      const away = entry.direction === 'long' ? 0.02 : -0.02
      market.move(level + away)
      expect(market.shown().positions).toHaveLength(1)
      market.move(level - away)
      expect(market.shown().positions).toHaveLength(0)
      expect(market.events.map(({ type }) => type)).toContain('liquidate')
    }),
    { numRuns: 20 },
  )
})

test('in the playground a profit counts only once the window is over, and a refusal is told', () => {
  const market = new PlaygroundMarket()
  market.open(ENTRY)
  expect(market.shown().positions[0]?.window).toBe(60)
  market.move(FIRST_PRICE * 1.05)
  expect([market.shown().positions[0]?.window, market.shown().counted]).toEqual([59, '0.00'])
  market.wait(58)
  expect([market.shown().positions[0]?.window, Number(market.shown().counted) > 400]).toEqual([0, true])
  market.close(market.shown().positions[0]?.id as string, 2)
  expect(market.shown().positions).toHaveLength(1)
  market.open({ ...ENTRY, leverage: '1000' })
  expect(market.events[0]).toMatchObject({ type: 'refused', isRefusal: true, detail: 'invalid_leverage' })
})

test('a stop of the playground fires', () => {
  const market = new PlaygroundMarket()
  market.open({ ...ENTRY, direction: 'short', stopPercent: 2 })
  expect(market.shown().stops).toEqual([FIRST_PRICE * 1.02])
  market.move(FIRST_PRICE * 1.03)
  expect([market.shown().positions, market.shown().stops]).toEqual([[], []])
})

test('the playground needs nothing of Node', async () => {
  const { errors, warnings } = await build({
    entryPoints: [new URL('../../site/playground/market.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  })
  expect([errors, warnings]).toEqual([[], []])
})
