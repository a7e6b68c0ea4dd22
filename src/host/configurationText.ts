/** The text of a configuration file: JSON with comments, of which every fault is told with its line. */
import { type DocumentNode, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa'

/** The text is not JSON with comments; the message says where, and what was found there. */
export class MalformedConfiguration extends Error {
  override readonly name = 'MalformedConfiguration'
}

/** The value of a file, and where in it things stand. */
export interface ConfigurationText {
  readonly value: unknown
  /** The line of what a path such as `markets[0].spread` names, or of the nearest thing around it. */
  lineOf(path: string): number
}

/** Comments and commas after the last entry are let pass. @throws MalformedConfiguration */
export function readConfigurationText(bytes: Uint8Array): ConfigurationText {
  const { body } = parsed(decoded(bytes))
  return { value: plainOf(body), lineOf: (path) => lineIn(body, path) }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new MalformedConfiguration('the file is not UTF-8 text')
  }
}

/** As the parser says where it stopped. */
interface ParseFault {
  readonly message: string
  readonly line?: number
  readonly column?: number
}

function parsed(text: string): DocumentNode {
  if (text.trim() === '') throw new MalformedConfiguration('the file is empty')
  try {
    return parse(text, { mode: 'jsonc', allowTrailingCommas: true })
  } catch (error) {
    const { message, line, column } = error as ParseFault
    if (line === undefined) throw new MalformedConfiguration('it is nested too deeply to be read')
    const found = message.replace(/ found\. \(\d+:\d+\)$/, '')
    const what = `${found.charAt(0).toLowerCase()}${found.slice(1)}`
    throw new MalformedConfiguration(`not JSON at line ${line}, column ${column}: ${what}`)
  }
}

function plainOf(node: ValueNode): unknown {
  switch (node.type) {
    case 'Object':
      return objectOf(node.members)
    case 'Array':
      return node.elements.map(({ value }) => plainOf(value))
    case 'Null':
      return null
    case 'String':
    case 'Number':
    case 'Boolean':
      return node.value
    default:
      throw new MalformedConfiguration(`not JSON at line ${node.loc.start.line}`)
  }
}

/** `JSON.parse` would keep the last of two members with one name, and say nothing. */
function objectOf(members: readonly MemberNode[]): object {
  const read = new Map<string, unknown>()
  for (const { name, value, loc } of members) {
    const key = nameOf(name)
    const { line } = loc.start
    if (read.has(key)) throw new MalformedConfiguration(`line ${line}: ${key} is given twice`)
    if (key === '__proto__') throw new MalformedConfiguration(`line ${line}: a key may not be called ${key}`)
    read.set(key, plainOf(value))
  }
  return Object.fromEntries(read)
}

function nameOf(name: MemberNode['name']): string {
  return name.type === 'String' ? name.value : name.name
}

function lineIn(body: ValueNode, path: string): number {
  let node = body
  let { line } = body.loc.start
  for (const part of path.split(/[.[\]]+/).filter((one) => one !== '')) {
    const inner =
      node.type === 'Object'
        ? node.members.find(({ name }) => nameOf(name) === part)
        : node.type === 'Array'
          ? node.elements[Number(part)]
          : undefined
    if (inner === undefined) break
    line = inner.loc.start.line
    node = inner.value
  }
  return line
}
