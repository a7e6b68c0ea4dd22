// Which files of rules the odds are asked under.
import { Refusal } from '../../host/console/page/shared/refusal.tsx'
import type { Contents } from '../contents.ts'
import type { RunForm } from '../runForm.ts'

interface Props {
  readonly form: RunForm
  readonly contents: Contents
  readonly fault: string | null
  readonly onChange: (change: Partial<RunForm>) => void
}

export function RulesFields({ form, contents, fault, onChange }: Props) {
  if (contents.rules.length === 0)
    return (
      <p class="hint">
        Rules with phases, payouts and a fee are files of JSON: none is in the folder, so one phase under the
        limits above is played.
      </p>
    )
  return (
    <fieldset class="rules">
      <legend>Rules, compared side by side</legend>
      {contents.rules.map((file) => (
        <label class="check" key={file}>
          <input
            type="checkbox"
            checked={form.rules.includes(file)}
            onChange={(event) => {
              const others = form.rules.filter((one) => one !== file)
              onChange({ rules: event.currentTarget.checked ? [...others, file] : others })
            }}
          />
          {file}
        </label>
      ))}
      <Refusal said={fault} />
    </fieldset>
  )
}
