// The diagrams of the pages as pictures that need no script in the browser: the two kinds that the pages have, laid out by
// dagre. Their arrows come from tables and imports (docs/rules.md, docs/architecture.md), which tests hold.

import { Graph, layout } from '@dagrejs/dagre'

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
}

interface Diagram {
  readonly upwards: boolean
  /** What stands in each box, by its name. */
  readonly boxes: ReadonlyMap<string, string>
  readonly arrows: readonly Arrow[]
}

/** A page with its diagrams drawn. */
export function withPictures(page: string): string {
  return page.replace(
    /^```mermaid\n(.*?)^```$/gms,
    (_, text: string) => `<figure>${pictureOf(text)}</figure>`,
  )
}

const START = '[*]'

/** @throws Error for a line of another kind. */
export function diagramOf(text: string): Diagram {
  const [kind = '', ...lines] = text.trim().split('\n')
  const boxes = new Map<string, string>()
  const arrows = new Map<string, Arrow>()
  const box = (name: string) => boxes.set(name, boxes.get(name) ?? name)
  for (const line of lines.map((line) => line.trim())) {
    const [, name, shown] = /^(\w+)\["(.+)"\]$/.exec(line) ?? []
    const [, from, to, label = ''] = /^(\S+) --> (\S+?)(?:: (.+))?$/.exec(line) ?? []
    if (name !== undefined) boxes.set(name, shown as string)
    else if (from === undefined || to === undefined) throw new Error(`not a line of a diagram: ${line}`)
    else {
      box(from)
      box(to)
      const known = arrows.get(`${from} ${to}`)
      arrows.set(`${from} ${to}`, { from, to, label: known ? `${known.label}\n${label}` : label })
    }
  }
  return { upwards: kind.endsWith('BT'), boxes, arrows: [...arrows.values()] }
}

const [LINE, CHARACTER, PADDING] = [18, 7.4, 14]
/** Shrunk further nobody reads it: a narrow screen scrolls. */
const NARROWEST = 600

const widthOf = (text: string): number =>
  Math.max(...text.split('\n').map((line) => line.length)) * CHARACTER + 2 * PADDING
const heightOf = (text: string): number => text.split('\n').length * LINE + PADDING

export function pictureOf(text: string): string {
  const { upwards, boxes, arrows } = diagramOf(text)
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: upwards ? 'BT' : 'TB', nodesep: 36, ranksep: 44, marginx: 8, marginy: 8 })
  for (const [name, shown] of boxes)
    graph.setNode(
      name,
      name === START ? { width: 14, height: 14 } : { width: widthOf(shown), height: heightOf(shown) },
    )
  for (const { from, to, label } of arrows)
    graph.setEdge(from, to, {
      width: label === '' ? 0 : widthOf(label),
      height: label === '' ? 0 : heightOf(label),
      labelpos: 'c',
    })
  layout(graph)
  const drawn = [
    ...arrows.map(({ from, to }) => (from === to ? loopAt(graph.node(from)) : lineOf(graph.edge(from, to)))),
    ...arrows.map((arrow) => labelOf(arrow, graph.edge(arrow.from, arrow.to))),
    ...Array.from(boxes, ([name, shown]) => boxOf(name, shown, graph.node(name))),
  ]
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return `<svg class="diagram" role="img" aria-label="${escaped(described(arrows, boxes))}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" style="max-width:${Math.ceil(width)}px;min-width:${Math.ceil(Math.min(0.75 * width, NARROWEST))}px"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>${drawn.join('')}</svg>`
}

/** For whoever does not see it. */
function described(arrows: readonly Arrow[], boxes: ReadonlyMap<string, string>): string {
  const named = (name: string) => (name === START ? 'start' : boxes.get(name))
  return arrows.map(({ from, to }) => `${named(from)} to ${named(to)}`).join(', ')
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function boxOf(name: string, shown: string, { x, y, width, height }: Place): string {
  if (name === START) return `<circle class="start" cx="${x}" cy="${y}" r="7"/>`
  return `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="6"/>${textAt(shown, x, y)}`
}

function lineOf({ points }: { readonly points: readonly { x: number; y: number }[] }): string {
  const line = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(' L')
  return `<path class="arrow" d="M${line}" marker-end="url(#tip)"/>`
}

/** From the right side of a box out and back to it; where its label is the layout says, to the right of that. */
function loopAt({ x, y, width, height }: Place): string {
  const [side, out, down] = [x + width / 2, x + width / 2 + 34, height / 4]
  return `<path class="arrow" d="M${side} ${y - down} C${out} ${y - 3 * down} ${out} ${y + 3 * down} ${side} ${y + down}" marker-end="url(#tip)"/>`
}

/** On a ground of its own, so that no line is read as a letter. */
function labelOf({ label }: Arrow, { x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): string {
  if (label === '') return ''
  const [width, height] = [widthOf(label) - PADDING, heightOf(label) - PADDING + 4]
  const ground = `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}"/>`
  return `<g class="label">${ground}${textAt(label, x, y)}</g>`
}

function textAt(shown: string, x: number, y: number): string {
  const lines = shown.split('\n')
  const first = y - ((lines.length - 1) * LINE) / 2
  return lines
    .map((line, index) => `<text x="${x}" y="${first + index * LINE}">${escaped(line)}</text>`)
    .join('')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
