// Platform commands as the API description shows them: named, bounded and filled like those that are taken.

import { expect, test } from 'vitest'
import { COMMAND_FIELDS } from '../../../src/events/commandTable.ts'
import { FieldFault, objectFromJson } from '../../../src/host/fieldsFromJson.ts'
import { COMMAND_ROLES, platformCommands } from '../../../src/host/platformCommand.ts'
import { PlatformCommands } from '../../../src/host/schemas/platformCommands.ts'
import { MEANINGS } from '../../../src/resources/meanings.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isQuantity,
  partsOf,
} from '../../../src/terms/fieldKinds.ts'

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

const quantities = (kinds: FieldKinds, path = ''): [path: string, kind: FieldKind][] =>
  Object.entries(kinds).flatMap(([name, kind]): [string, FieldKind][] => {
    if (isNested(kind)) return quantities(fieldsIn(kind), `${path}${name}.`)
    return isQuantity(partsOf(kind).stem) ? [[`${path}${name}`, kind]] : []
  })

const types = Object.keys(COMMAND_ROLES) as (keyof typeof COMMAND_ROLES)[]

test.each(
  types.flatMap((type) => quantities(COMMAND_FIELDS[type]).map((quantity) => [type, ...quantity] as const)),
)(
  '%s: what is written into %s as in a configuration is told with a form that is read',
  (_type, path, kind) => {
    const name = path.split('.').at(-1) as string
    for (const wrong of ['10000 USD', '0.1%', '50x', '1.5', 5]) {
      let fault: unknown
      try {
        objectFromJson({ [name]: wrong }, { [name]: kind }, '')
      } catch (error) {
        fault = error
      }
      expect(fault).toBeInstanceOf(FieldFault)
      const { message } = fault as FieldFault
      expect(message.startsWith(`${name}: is ${JSON.stringify(wrong)}; expected: `)).toBe(true)
      const [, example] = /such as "(\d+)"/.exec(message) ?? []
      expect(objectFromJson({ [name]: example }, { [name]: kind }, '')).toEqual({
        [name]: BigInt(example ?? ''),
      })
    }
  },
)
