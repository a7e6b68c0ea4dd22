/** A script that stands in a page, and the hash by which the page's content security policy lets it run and no other. */
import { createHash } from 'node:crypto'
import { Html } from './html.ts'

export interface InlineScript {
  readonly element: Html
  /** For the content security policy. */
  readonly hash: string
}

export function inlineScript(source: string, type?: 'module'): InlineScript {
  const text = `\n${source.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--')}\n`
  const attribute = type === undefined ? '' : ` type="${type}"`
  return {
    element: new Html(`<script${attribute}>${text}</script>`),
    hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  }
}
