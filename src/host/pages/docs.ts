/** The API description in a browser: one page, no network beyond this host. */

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Margin Trading API</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
  h2 { margin: 2.5rem 0 .5rem; text-transform: capitalize }
  details { border: 1px solid #ddd; border-radius: 4px; margin: .4rem 0 }
  summary { padding: .5rem .7rem; cursor: pointer }
  section { padding: 0 .9rem .9rem }
  code, pre { font: 13px/1.5 ui-monospace, monospace }
  table { border-collapse: collapse; width: 100% }
  td, th { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; border-bottom: 1px solid #eee }
  .method { display: inline-block; width: 4.5rem; font-weight: 600 }
  .note { color: #666 }
</style>
<h1>Margin Trading API</h1>
<p id="about">Loading <a href="openapi.json">/openapi.json</a> …</p>
<main></main>
<script>
const el = (name, text, ...children) => {
  const node = document.createElement(name)
  if (text) node.textContent = text
  node.append(...children)
  return node
}
const typeOf = (schema) => {
  if (!schema) return ''
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array') return 'array of ' + typeOf(schema.items)
  if (schema.type === 'object' && schema.properties) return 'object'
  if ((schema.description || '').startsWith('fp9')) return 'fp9'
  if ((schema.description || '').startsWith('uuid')) return 'uuid'
  return schema.description || schema.type || 'any'
}
const rows = (schema, prefix = '') => Object.entries(schema.properties || {}).flatMap(([name, field]) => {
  const inner = field.type === 'array' ? field.items : field
  const required = (schema.required || []).includes(name)
  const row = el('tr', '', el('td', '', el('code', prefix + name)), el('td', required ? 'yes' : 'no'), el('td', typeOf(field)))
  return [row, ...(inner && inner.properties ? rows(inner, prefix + name + '.') : [])]
})
const table = (title, schema) => {
  const object = schema && schema.type === 'array' ? schema.items : schema
  const heading = el('h4', title + (schema && schema.type === 'array' ? ' (array)' : ''))
  if (!object || !object.properties) return [heading, el('p', typeOf(schema))]
  const head = el('tr', '', el('th', 'field'), el('th', 'required'), el('th', 'type'))
  return [heading, el('table', '', head, ...rows(object))]
}
const parameters = (list) => {
  const properties = Object.fromEntries(list.map((p) => [p.in + ' ' + p.name, p.schema]))
  return table('Parameters', { type: 'object', properties, required: list.filter((p) => p.required).map((p) => p.in + ' ' + p.name) })
}
const content = (part) => part && part.content && Object.values(part.content)[0] && Object.values(part.content)[0].schema
const operation = (method, path, op) => {
  const section = el('section')
  const access = op.security ? Object.keys(op.security[0])[0] : ''
  section.append(el('p', 'Access: ' + access))
  if (op.parameters && op.parameters.length) section.append(...parameters(op.parameters))
  if (op.requestBody) section.append(...table('Body', content(op.requestBody)))
  for (const [status, response] of Object.entries(op.responses)) {
    if (status < 300) { section.append(...table(status, content(response))); continue }
    section.append(el('h4', status), ...response.description.split('\\n\\n').map((line) => el('div', line.replaceAll('\`', ''))))
  }
  const summary = el('summary', '', el('span', method.toUpperCase()), el('code', path), el('span', '  ' + op.summary))
  summary.firstChild.className = 'method'
  summary.lastChild.className = 'note'
  return el('details', '', summary, section)
}
fetch('openapi.json').then((answer) => answer.json()).then((api) => {
  document.querySelector('#about').textContent = api.info.description
  const tags = new Map()
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, op] of Object.entries(methods)) {
      const tag = op.tags[0]
      tags.set(tag, [...(tags.get(tag) || []), operation(method, path, op)])
    }
  for (const [tag, operations] of tags) document.querySelector('main').append(el('h2', tag), ...operations)
})
</script>
`
