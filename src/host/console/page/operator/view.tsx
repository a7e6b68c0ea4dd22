// A card with its title, what can be chosen, and why nothing newer is shown.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Refusal } from '../shared/refusal.tsx'

interface Props {
  readonly title: string
  readonly tools?: ComponentChildren
  readonly refusal?: string | null
  readonly isLoading?: boolean
  readonly children?: ComponentChildren
}

export function View({ title, tools, refusal = null, isLoading = false, children }: Props) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        {tools !== undefined && <div class="tools">{tools}</div>}
      </div>
      <Refusal said={refusal} />
      {!isLoading && children}
      {isLoading && refusal === null && <p class="nothing">Loading…</p>}
    </section>
  )
}
