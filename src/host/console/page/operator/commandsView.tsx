// Every platform command as a form: what it would do is shown before it is sent.
import { useId, useMemo, useState } from 'preact/hooks'
import { MEANINGS } from '../../../../resources/meanings.ts'
import { COMMAND_ROLES } from '../../../platformCommand.ts'
import { announce } from '../shared/announcements.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { TextField } from '../shared/fields.tsx'
import { freshKey } from '../shared/freshKey.ts'
import { words } from '../shared/names.ts'
import { mayBeDone } from '../shared/sentences.ts'
import {
  COMMAND_TYPES,
  type CommandField,
  type CommandType,
  fieldsOf,
  writtenCommand,
} from './commandForm.ts'
import { CommandPreview } from './commandPreview.tsx'
import type { OperatorClient } from './operatorClient.ts'
import { Record as Fields } from './record.tsx'
import { SignedBy } from './signedBy.tsx'
import { View } from './view.tsx'

export function CommandsView({ client }: { readonly client: OperatorClient }) {
  const [type, setType] = useState<CommandType>('adjustBalance')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [isAsking, setAsking] = useState(false)
  const [isTried, setTried] = useState(false)
  // One for a command and all attempts at it: one whose answer was lost is done once, however often it is sent. A refusal is kept
  // under its id too.
  const [commandId, setCommandId] = useState(freshKey)
  const { command: written, faults } = useMemo(() => writtenCommand(type, texts), [type, texts])
  const command = useMemo(() => (written === null ? null : { commandId, ...written }), [written, commandId])
  const choose = (next: CommandType) => {
    setType(next)
    setTexts({})
    setCommandId(freshKey())
    setTried(false)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    setAsking(command !== null)
  }
  const send = async () => {
    const seq = await client.command(command as object).catch((error: unknown) => {
      if (!mayBeDone(error)) setCommandId(freshKey())
      throw error
    })
    announce(`${words(type)}: done, commit ${seq}.`)
    choose(type)
  }
  return (
    <View title="Commands" tools={<span class="hint">least role: {COMMAND_ROLES[type]}</span>}>
      <form onSubmit={submit} noValidate class="command">
        <label class="field">
          <span>Command</span>
          <select value={type} onChange={(event) => choose(event.currentTarget.value as CommandType)}>
            {COMMAND_TYPES.map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        </label>
        <p class="hint">{MEANINGS[type]['']}</p>
        <div class="filters">
          {fieldsOf(type).map((field) => (
            <Field
              key={`${type} ${field.path}`}
              field={field}
              text={texts[field.path] ?? ''}
              fault={isTried ? (faults?.get(field.path) ?? null) : null}
              onText={(text) => {
                setCommandId(freshKey())
                setTexts((before) => ({ ...before, [field.path]: text }))
              }}
            />
          ))}
        </div>
        <button type="submit" class="primary">
          See what it would do
        </button>
      </form>
      {isAsking && command !== null && (
        <Dialog
          isWide
          title={`${capital(words(type))}?`}
          action="Send it"
          isReady
          ifLost="Sent again, it is done once."
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <Fields of={command} />
          <h3>What it would do</h3>
          <CommandPreview command={command} client={client} />
          <SignedBy client={client} />
        </Dialog>
      )}
    </View>
  )
}

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

interface FieldProps {
  readonly field: CommandField
  readonly text: string
  /** A sentence. */
  readonly fault: string | null
  readonly onText: (text: string) => void
}

function Field({ field, text, fault, onText }: FieldProps) {
  const id = useId()
  const label = `${words(field.path.split('.').at(-1) as string)}${field.isOptional ? ' (optional)' : ''}`
  if (field.options === null)
    return (
      <div title={field.meaning}>
        <TextField label={label} value={text} isAmount={false} fault={fault} onInput={onText} />
      </div>
    )
  return (
    <div class="field" title={field.meaning}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={text}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        <option value="">–</option>
        {field.options.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </select>
      {fault !== null && (
        <p class="refusal" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
