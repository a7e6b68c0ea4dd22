// The parameters that the strategy declares, each with a value, and with values to try where several are.
import { type RunKind, variesIn } from '../formKinds.ts'
import type { RunForm } from '../runForm.ts'
import type { DescribedStrategy } from '../strategies.ts'
import { Field } from './field.tsx'

interface Props {
  readonly form: RunForm
  /** Null while it is loaded. */
  readonly strategy: DescribedStrategy | null
  /** What the run file sets, by name. */
  readonly set: Readonly<Record<string, string>>
  readonly faultOf: (field: string) => string | null
  readonly onChange: (of: 'parameters' | 'vary', name: string, value: string) => void
}

export function ParameterFields({ form, strategy, set, faultOf, onChange }: Props) {
  if (strategy === null) return <p class="nothing">Reading the strategy…</p>
  const { parameters, constraints } = strategy
  if (parameters === null || parameters.length === 0)
    return <p class="nothing">It declares no parameters: it runs with its own values.</p>
  const varies = variesIn(form.kind)
  return (
    <>
      <div class={varies ? 'parameters varied' : 'fields'}>
        {parameters.map(({ name, about, usual, range, search, values }) => {
          const tried = form.vary[name] ?? ''
          const hint = [about, range].filter((words) => words !== '').join('; ')
          const value = (
            <Field
              key={name}
              label={name}
              hint={hint}
              placeholder={set[name] ?? usual}
              value={form.parameters[name] ?? ''}
              fault={faultOf(`parameters.${name}`)}
              {...(values.length === 0 ? {} : { list: values })}
              onInput={(text) => onChange('parameters', name, text)}
            />
          )
          if (!varies) return value
          return (
            <div class="pair" key={name}>
              {value}
              <Field
                label={form.kind === 'search' ? 'Range' : 'Values to try'}
                of={`of ${name}`}
                placeholder={placeholderOf(search, form.kind)}
                value={tried}
                fault={faultOf(`vary.${name}`)}
                onInput={(text) => onChange('vary', name, text)}
              />
            </div>
          )
        })}
      </div>
      <p class="hint">
        {constraints.length > 0 && `A set has to keep ${constraints.join(', ')}. `}
        {varies &&
          (form.kind === 'evaluate'
            ? 'Values to try, 0.5%,1%,2% or 10:60:10, stand side by side. '
            : form.kind === 'search'
              ? 'Ranges to look in are 5:60, 0.5:3, 5:500:log or 10,20,50; with none, what the strategy suggests is searched. '
              : 'Values to try are 10,20,50 or from:to:step; with none, what the strategy suggests is tried. ')}
      </p>
    </>
  )
}

/** What the strategy suggests: as it is for a search, with steps to come for values. */
function placeholderOf(search: string, kind: RunKind): string {
  if (search === '' || kind === 'search') return search
  return `${search.replace(':log', '')}:…`
}
