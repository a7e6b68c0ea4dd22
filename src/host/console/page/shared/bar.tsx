// The bar on top: the name, what the page puts into it, and the theme.
import type { ComponentChildren } from 'preact'
import { switchTheme } from '../../../../style/theme.js'

interface Props {
  /** Behind the name. */
  readonly tools?: ComponentChildren
  /** At the end, behind the theme. */
  readonly children?: ComponentChildren
}

export function Bar({ tools, children }: Props) {
  return (
    <header class="bar">
      <span class="brand">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 19V9m5 10V5m5 14v-7m5 7V8" />
        </svg>
        margin-core
      </span>
      <div class="bar-tools">{tools}</div>
      <button
        type="button"
        class="quiet"
        aria-label="Switch between light and dark"
        title="Light or dark"
        onClick={switchTheme}
      >
        ◐
      </button>
      {children}
    </header>
  )
}
