// A link to a page of a result, which opens beside the workbench.
import type { ComponentChildren } from 'preact'

interface Props {
  readonly url: string
  readonly children: ComponentChildren
  readonly class?: string
}

export function PageLink({ url, children, class: kind }: Props) {
  return (
    <a href={url} class={kind} target="_blank" rel="noopener">
      {children}
      <span class="unseen"> (opens in a new tab)</span>
    </a>
  )
}
