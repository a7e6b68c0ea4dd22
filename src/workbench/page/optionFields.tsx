// Fields for options of the command, each as its name says and with what holds where it is left empty.
import { FORM_OPTIONS, isSwitch, OPTION_NAMES, type OptionGroup, type OptionName } from '../formOptions.ts'
import type { RunForm } from '../runForm.ts'
import { Field } from './field.tsx'
import { SelectField } from './selectField.tsx'

interface Props {
  readonly group: OptionGroup
  readonly form: RunForm
  /** Options that mean nothing beside what else is chosen. */
  readonly without?: readonly OptionName[]
  readonly faultOf: (field: string) => string | null
  readonly onChange: (name: OptionName, value: string) => void
}

export function OptionFields({ group, form, without = [], faultOf, onChange }: Props) {
  const shown = OPTION_NAMES.filter(
    (name) =>
      FORM_OPTIONS[name].group === group &&
      FORM_OPTIONS[name].kinds.includes(form.kind) &&
      !without.includes(name),
  )
  return (
    <div class="fields">
      {shown.map((name) => (
        <OptionField
          key={name}
          name={name}
          value={form.options[name] ?? ''}
          isFromFile={form.config !== ''}
          fault={faultOf(`options.${name}`)}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </div>
  )
}

interface FieldProps {
  readonly name: OptionName
  readonly value: string
  readonly isFromFile: boolean
  readonly fault: string | null
  readonly onChange: (value: string) => void
}

function OptionField({ name, value, isFromFile, fault, onChange }: FieldProps) {
  const option = FORM_OPTIONS[name]
  const usual = isFromFile ? 'as in the run file' : (option.usual ?? '')
  if (isSwitch(option))
    return (
      <div class="field switch">
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'on'}
            onChange={(event) => onChange(event.currentTarget.checked ? 'on' : '')}
          />
          {option.label}
        </label>
        {fault !== null && <p class="refusal">{fault}</p>}
      </div>
    )
  if (option.choices === undefined)
    return (
      <Field
        label={option.label}
        hint={option.hint ?? ''}
        placeholder={usual}
        value={value}
        fault={fault}
        onInput={onChange}
      />
    )
  return (
    <SelectField
      label={option.label}
      none={usual}
      choices={option.choices.filter((choice) => isFromFile || choice !== option.usual)}
      value={value}
      fault={fault}
      onChange={onChange}
    />
  )
}
