// Under which name what is about to be sent will stand.
import type { OperatorClient } from './operatorClient.ts'

export function SignedBy({ client }: { readonly client: OperatorClient }) {
  return (
    <p class="hint">
      It stands in the log under the name <b>{client.operator}</b>, and cannot be taken back.
    </p>
  )
}
