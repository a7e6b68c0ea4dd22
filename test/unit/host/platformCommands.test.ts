// Platform commands as the API description shows them: named, bounded and filled like those that are taken.

import { expect, test } from 'vitest'
import { COMMAND_ROLES, platformCommands } from '../../../src/host/platformCommand.ts'
import { PlatformCommands } from '../../../src/host/schemas/platformCommands.ts'
import { MEANINGS } from '../../../src/resources/meanings.ts'

interface Shown {
  readonly title: string
  readonly description: string
  readonly properties: Readonly<Record<string, { readonly const?: string; readonly description: string }>>
}

const [one, several] = PlatformCommands.anyOf as unknown as [
  { readonly anyOf: readonly Shown[] },
  { readonly minItems: number; readonly maxItems: number },
]

test('every command is there under its name, with what it does and the role that it takes', () => {
  const types = Object.keys(COMMAND_ROLES) as (keyof typeof COMMAND_ROLES)[]
  expect(one.anyOf.map(({ properties }) => properties.type?.const)).toEqual(types)
  for (const [index, type] of types.entries()) {
    const { title, description, properties } = one.anyOf[index] as Shown
    expect(title).toMatch(/^[A-Z]/)
    expect(title.toLowerCase()).toBe(type.toLowerCase())
    expect(title.slice(1)).toBe(type.slice(1))
    expect(description).toBe(MEANINGS[type][''])
    expect(properties.type?.description).toContain(COMMAND_ROLES[type])
  }
})

test('as many as are shown may be sent at a time, and not one more', () => {
  const commands = (count: number) => Array.from({ length: count }, () => ({ type: 'advanceTime', ms: 1 }))
  expect(several.minItems).toBe(0)
  for (const count of [several.minItems, several.maxItems])
    expect(platformCommands(commands(count))).toHaveLength(count)
  expect(() => platformCommands(commands(several.maxItems + 1))).toThrow()
})
