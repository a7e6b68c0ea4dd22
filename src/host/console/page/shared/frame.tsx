// What is around everything: the bar on top and the notices below.
import type { ComponentChildren } from 'preact'
import { switchTheme } from '../../../../style/theme.js'

interface Props {
  readonly children: ComponentChildren
  /** In the bar, after the name. */
  readonly bar?: ComponentChildren
  readonly onLeave?: () => void
}

export function Frame({ children, bar, onLeave }: Props) {
  return (
    <>
      <header class="bar">
        <span class="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 19V9m5 10V5m5 14v-7m5 7V8" />
          </svg>
          margin-core
        </span>
        <div class="bar-tools">{bar}</div>
        <button
          type="button"
          class="quiet"
          aria-label="Switch between light and dark"
          title="Light or dark"
          onClick={switchTheme}
        >
          ◐
        </button>
        {onLeave !== undefined && (
          <button type="button" onClick={onLeave}>
            Sign out
          </button>
        )}
      </header>
      {children}
      <footer>
        <p>
          Price chart: TradingView Lightweight Charts™, Copyright (c) 2025 TradingView, Inc.{' '}
          <a href="https://www.tradingview.com/" rel="noreferrer">
            https://www.tradingview.com/
          </a>
          . <a href="console/licences.txt">Licences</a> · <a href="docs">API documentation</a>
        </p>
      </footer>
    </>
  )
}
