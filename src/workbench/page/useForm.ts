// The form as it is filled in, and what was refused of it.
import { useCallback, useState } from 'preact/hooks'
import type { Fault } from '../faults.ts'
import type { OptionName } from '../formOptions.ts'
import { EMPTY_FORM, type RunForm } from '../runForm.ts'

export interface FormState {
  readonly form: RunForm
  readonly faultOf: (field: string) => string | null
  /** What belongs to no field. */
  readonly unplaced: readonly string[]
  readonly change: (change: Partial<RunForm>) => void
  readonly setValue: (of: 'parameters' | 'vary', name: string, value: string) => void
  readonly setOption: (name: OptionName, value: string) => void
  readonly refuse: (faults: readonly Fault[]) => void
}

export function useForm(): FormState {
  const [form, setForm] = useState<RunForm>(EMPTY_FORM)
  const [faults, refuse] = useState<readonly Fault[]>([])

  /** What is changed is no longer what was refused. */
  const settle = useCallback((fields: readonly string[]) => {
    refuse((before) => before.filter(({ field }) => field !== null && !fields.includes(field)))
  }, [])

  return {
    form,
    faultOf: (field) => faults.find((fault) => fault.field === field)?.message ?? null,
    unplaced: faults.filter(({ field }) => field === null).map(({ message }) => message),
    change: (change) => {
      setForm((before) => ({ ...before, ...change }))
      settle(Object.keys(change))
    },
    setValue: (of, name, value) => {
      setForm((before) => ({ ...before, [of]: { ...before[of], [name]: value } }))
      settle([`${of}.${name}`])
    },
    setOption: (name, value) => {
      setForm((before) => ({ ...before, options: { ...before.options, [name]: value } }))
      settle([`options.${name}`])
    },
    refuse,
  }
}
