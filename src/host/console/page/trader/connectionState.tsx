// Whether what is shown is what is.
import type { Connection } from './liveVenue.ts'

const SAID: { readonly [State in Connection]: string } = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost: trying again',
}

export function ConnectionState({ connection }: { readonly connection: Connection }) {
  return (
    <span class={`connection ${connection}`} role="status">
      {SAID[connection]}
    </span>
  )
}
