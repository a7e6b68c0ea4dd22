/** The stream as Server-Sent Events. */
import type { SentEvent } from './sentEvent.ts'

/** The events of a `text/event-stream` answer, as far as the venue uses the format. */
export async function* eventsOf({ body }: Response): AsyncGenerator<SentEvent, void> {
  if (body === null) return
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    const events = text.split('\n\n')
    text = events.pop() as string
    for (const event of events) {
      const lines = event.split('\n')
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const [id, data] = [field('id'), field('data')]
      if (data !== undefined) yield { id: id === undefined ? null : Number(id), message: JSON.parse(data) }
    }
  }
}
