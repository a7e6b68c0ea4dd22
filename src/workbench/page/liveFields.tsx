// Where a live run trades, by which key, and how it ends: what is chosen, and that it is meant.
import { Refusal } from '../../host/console/page/shared/refusal.tsx'
import type { Contents } from '../contents.ts'
import type { OptionName } from '../formOptions.ts'
import type { RunForm } from '../runForm.ts'
import { Field } from './field.tsx'
import { OptionFields } from './optionFields.tsx'
import { SelectField } from './selectField.tsx'

interface Props {
  readonly form: RunForm
  readonly live: Contents['live']
  readonly faultOf: (field: string) => string | null
  readonly onChange: (name: OptionName, value: string) => void
}

/** They have fields of their own here. */
const OWN = ['live', 'key-file'] as const

export function LiveFields({ form, live, faultOf, onChange }: Props) {
  const { venues, hasKey, keyFiles } = live
  const place = hasKey
    ? 'empty: the key that the workbench was started with'
    : 'a file of the folder that holds the key of the venue, and nothing else'
  return (
    <>
      {venues.length > 0 && (
        <div class="fields">
          <SelectField
            label="Venue"
            none="Choose one"
            choices={venues}
            value={form.options.live ?? ''}
            fault={faultOf('options.live')}
            onChange={(venue) => onChange('live', venue)}
          />
          <Field
            label="Key file"
            hint={place}
            placeholder={hasKey ? 'MARGIN_CORE_KEY' : ''}
            value={form.options['key-file'] ?? ''}
            fault={faultOf('options.key-file')}
            list={keyFiles}
            onInput={(text) => onChange('key-file', text)}
          />
        </div>
      )}
      <OptionFields group="choice" form={form} without={OWN} faultOf={faultOf} onChange={onChange} />
    </>
  )
}

interface AgreementProps {
  readonly form: RunForm
  readonly isAgreed: boolean
  readonly fault: string | null
  readonly onChange: (isAgreed: boolean) => void
}

/** Nothing is traded by a key that was pressed in some field. */
export function Agreement({ form, isAgreed, fault, onChange }: AgreementProps) {
  const { live = '', 'on-exit': end = 'keep' } = form.options
  const becomes =
    end === 'flatten'
      ? 'cancels its orders and closes its positions'
      : 'leaves its orders and positions as they are'
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={isAgreed}
          aria-invalid={fault !== null}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>Trade on {live === '' ? 'the venue' : live} with the account of the key</span>
      </label>
      <p class="hint">
        Stopped, or when the workbench ends, it {becomes}. Closing this page leaves it running.
      </p>
      <Refusal said={fault} />
    </div>
  )
}
