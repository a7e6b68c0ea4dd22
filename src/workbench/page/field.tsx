// A field with its name, what it takes, what holds where it is empty, and what is wrong with it.
import { useId } from 'preact/hooks'
import { Refusal } from '../../host/console/page/shared/refusal.tsx'

interface Props {
  readonly label: string
  /** More of its name, for those who hear it without what is around it. */
  readonly of?: string
  readonly hint?: string
  readonly placeholder?: string
  readonly value: string
  readonly fault: string | null
  readonly list?: readonly string[]
  readonly onInput: (value: string) => void
}

export function Field({ label, of = '', hint = '', placeholder = '', value, fault, list, onInput }: Props) {
  const id = useId()
  const described = [hint === '' ? '' : `${id}-hint`, fault === null ? '' : `${id}-fault`].filter(
    (one) => one !== '',
  )
  return (
    <div class="field">
      <label for={id}>
        {label}
        {of !== '' && <span class="unseen"> {of}</span>}
      </label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={described.length === 0 ? undefined : described.join(' ')}
        list={list === undefined ? undefined : `${id}-list`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Refusal said={fault} id={`${id}-fault`} />
    </div>
  )
}
