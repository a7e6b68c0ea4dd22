// What is around everything: the bar on top and the notices below.
import type { ComponentChildren } from 'preact'
import { Bar } from './bar.tsx'

interface Props {
  readonly children: ComponentChildren
  /** In the bar, after the name. */
  readonly bar?: ComponentChildren
  readonly onLeave?: () => void
}

export function Frame({ children, bar, onLeave }: Props) {
  return (
    <>
      <Bar tools={bar}>
        {onLeave !== undefined && (
          <button type="button" onClick={onLeave}>
            Sign out
          </button>
        )}
      </Bar>
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
