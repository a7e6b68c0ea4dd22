// The plugin below a path of the server that carries it: its pages lead to each other, and the server's own paths stay its own.

import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { marginTradingApi } from '../../src/host/index.ts'
import { createEngine } from '../../src/index.ts'

describe.each(['', '/venue', '/venue/', '/a/deep/place'])('below "%s"', (prefix) => {
  const base = prefix.replace(/\/$/, '')

  async function mounted(own: 'before' | 'after') {
    const app = Fastify()
    const home = () => app.get('/', async () => 'mine')
    if (own === 'before') home()
    await app.register(marginTradingApi, { engine: createEngine({ at: 0 }), prefix })
    if (own === 'after') home()
    await app.ready()
    return app
  }

  test.each(['before', 'after'] as const)(
    "a page of the server's own, declared %s, is served",
    async (own) => {
      const app = await mounted(own)
      expect((await app.inject('/')).body).toBe('mine')
      await app.close()
    },
  )

  test('the documentation loads what it names, and the description from here', async () => {
    const app = await mounted('after')
    const page = `http://host${base}/docs`
    const fetched = async (link: string) => {
      const { statusCode, body } = await app.inject(new URL(link, page).pathname)
      expect([link, statusCode]).toEqual([link, 200])
      return body
    }
    const html = await fetched(page)
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).toContain('openapi.json')
    for (const link of links) await fetched(link)
    const shown = /url: '([^']+)'/.exec(await fetched('docs/page.js'))?.[1] as string
    expect(new URL(shown, page).pathname).toBe(`${base}/docs/openapi.json`)
    const { servers, paths } = JSON.parse(await fetched(shown))
    expect(servers[0].url).toBe(base || '/')
    expect(Object.keys(paths)).toContain('/live')
    expect((await app.inject(`${base}/live`)).statusCode).toBe(200)
    await app.close()
  })
})

test.each([
  [500, 500, 'internal_error'],
  [413, 413, 'validation_failed'],
  [418, 400, 'validation_failed'],
])(
  "what a hook of the server's own throws with status %i is answered as documented",
  async (thrown, status, code) => {
    const app = Fastify()
    app.addHook('preHandler', async () => {
      throw Object.assign(new Error('a secret of the server'), { statusCode: thrown })
    })
    await app.register(marginTradingApi, { engine: createEngine({ at: 0 }) })
    const answer = await app.inject('/live')
    expect([answer.statusCode, answer.json().error]).toEqual([status, code])
    expect(answer.body).not.toContain('secret')
    await app.close()
  },
)
