/** Platform commands as the API description shows them; what checks them is the table they come from. */
import { type TSchema, Type } from 'typebox'
import { COMMAND_FIELDS } from '../../events/commandTable.ts'
import { fieldSchemas } from '../../resources/commandFields.ts'
import { closed } from '../../resources/fields.ts'
import { MEANINGS } from '../../resources/meanings.ts'
import { COMMAND_ROLES } from '../platformCommand.ts'

const types = Object.keys(COMMAND_ROLES) as (keyof typeof COMMAND_ROLES)[]

const schemas: readonly TSchema[] = types.map((type) =>
  closed(
    {
      type: Type.Literal(type, { type: 'string', description: `Least role: ${COMMAND_ROLES[type]}.` }),
      ...fieldSchemas(COMMAND_FIELDS[type], type),
    },
    { title: `${type.charAt(0).toUpperCase()}${type.slice(1)}`, description: MEANINGS[type][''] },
  ),
)

const TITLE = 'PlatformCommands'
const ABOUT = 'One platform command, or up to 1,000, applied in order, each on its own.'

export const PlatformCommands = Type.Union(
  [
    Type.Union([...schemas], { title: 'PlatformCommand', description: 'What an operator may ask for.' }),
    Type.Array(Type.Unsafe({ title: 'PlatformCommand', description: 'What an operator may ask for.' }), {
      minItems: 0,
      maxItems: 1_000,
    }),
  ],
  { title: TITLE, description: ABOUT },
)

/** One of them, unchecked like those below. */
export const UncheckedCommand = Type.Unknown({
  title: 'PlatformCommand',
  description: 'What an operator may ask for.',
})

/** Stands for them where a route takes them: anything passes, and the table is asked. */
export const UncheckedCommands = Type.Unknown({ title: TITLE, description: ABOUT })
