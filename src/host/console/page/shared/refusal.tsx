// Why something was refused, or what is wrong with a field; nothing where nothing is.
interface Props {
  readonly said: string | null
  /** Of the text, for the field that it describes. */
  readonly id?: string
}

export function Refusal({ said, id }: Props) {
  if (said === null) return null
  return (
    <p class="refusal" id={id} role="alert">
      {said}
    </p>
  )
}
