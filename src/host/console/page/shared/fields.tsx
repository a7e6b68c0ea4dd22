// Fields of forms, each with its label and what is wrong with it.
import { useId } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  /** A sentence. */
  readonly fault?: string | null
  readonly isAmount?: boolean
}

export function TextField({ label, value, onInput, fault = null, isAmount = true }: TextFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputmode={isAmount ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {fault !== null && (
        <p class="refusal" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly value: Value
  readonly options: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ name, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset class="segments choice">
      <legend class="unseen">{name}</legend>
      {options.map(([option, label]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {label}
        </button>
      ))}
    </fieldset>
  )
}
