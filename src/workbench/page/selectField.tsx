// A field in which one of several is chosen, or none, with what is wrong with it.
import { useId } from 'preact/hooks'
import { Refusal } from '../../host/console/page/shared/refusal.tsx'

interface Props {
  readonly label: string
  /** What stands where none is chosen. */
  readonly none: string
  readonly choices: readonly string[]
  readonly value: string
  readonly fault: string | null
  readonly onChange: (value: string) => void
}

export function SelectField({ label, none, choices, value, fault, onChange }: Props) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
      <Refusal said={fault} id={`${id}-fault`} />
    </div>
  )
}
