// Takes a text along.
import { announce } from '../../host/console/page/shared/announcements.tsx'

export function CopyButton({ text, of = 'command' }: { readonly text: string; readonly of?: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => announce(`The ${of} is copied.`),
      () => announce(`The browser did not copy it: select the ${of} instead.`, 'bad'),
    )
  return (
    <button type="button" onClick={copy}>
      Copy<span class="unseen"> the {of}</span>
    </button>
  )
}
