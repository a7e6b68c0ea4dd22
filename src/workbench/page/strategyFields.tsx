// Which strategy is run: one of the package, a file of the folder, or what a run file says.
import { useId } from 'preact/hooks'
import type { Contents } from '../contents.ts'
import type { RunForm } from '../runForm.ts'

interface Props {
  readonly form: RunForm
  readonly contents: Contents
  readonly fault: string | null
  readonly onChange: (change: Partial<RunForm>) => void
}

export function StrategyFields({ form, contents, fault, onChange }: Props) {
  const id = useId()
  const { strategies, runFiles } = contents
  const runFile = runFiles.find(({ place }) => place === form.config)
  const fresh = { parameters: {}, vary: {} }
  return (
    <div class="fields">
      {runFiles.length > 0 && (
        <div class="field">
          <label for={`${id}-config`}>Run file</label>
          <select
            id={`${id}-config`}
            value={form.config}
            onChange={({ currentTarget: { value: config } }) =>
              onChange({ ...fresh, config, strategy: config === '' ? 'ema-cross' : '', markets: [] })
            }
          >
            <option value="">None</option>
            {runFiles.map(({ place }) => (
              <option key={place} value={place}>
                {place}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for={`${id}-chosen`}>Strategy</label>
        <select
          id={`${id}-chosen`}
          value={form.strategy}
          aria-invalid={fault === null ? undefined : true}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          onChange={({ currentTarget: { value: strategy } }) => onChange({ ...fresh, strategy })}
        >
          {runFile !== undefined && <option value="">as in the run file: {runFile.strategy}</option>}
          {strategies.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {fault !== null && (
          <p class="refusal" id={`${id}-fault`} role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  )
}
