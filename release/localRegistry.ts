// A registry of this machine that a package is published to and installed from by its name, as from the real one. It keeps what is
// published to it and hands on what else is asked for. Verdaccio (MIT) is installed where it runs, and is no dependency.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'

const VERSION = '6.10.4'
/** It asks for a tag of this package that not every mirror has. */
const OVERRIDES = { 'node-fetch': '2.7.0' }
const PATIENCE_MS = 120_000

export class LocalRegistry {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(url: string, process: ChildProcess) {
    this.url = url
    this.#process = process
  }

  /** Installs it below a folder and starts it with a Node of 22 or later. @throws Error where it cannot be had or does not answer. */
  static async start(folder: string, node: string): Promise<LocalRegistry> {
    const at = path.join(folder, 'registry')
    mkdirSync(at)
    writeFileSync(path.join(at, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }))
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `verdaccio@${VERSION}`]
    execFileSync('npm', install, { cwd: at, stdio: 'ignore' })
    writeFileSync(path.join(at, 'config.yaml'), configurationOver(beyond(at)))
    const url = `http://127.0.0.1:${await freePort()}/`
    const program = ['node_modules/verdaccio/bin/verdaccio', '--config', 'config.yaml', '--listen', url]
    const registry = new LocalRegistry(url, spawn(node, program, { cwd: at, stdio: 'ignore' }))
    await registry.#answers().catch((error: unknown) => registry.stop().then(() => Promise.reject(error)))
    return registry
  }

  /** What npm is told to publish a tarball here: anybody may. */
  publishing(tarball: string): readonly string[] {
    const token = `--${this.url.replace('http:', '')}:_authToken=anybody`
    return ['publish', tarball, '--registry', this.url, token, '--fetch-retries', '0']
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
  }

  async #answers(): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
      if (this.#process.exitCode !== null) throw new Error('the registry ended before it answered')
      if (
        await fetch(`${this.url}-/ping`)
          .then(({ ok }) => ok)
          .catch(() => false)
      )
        return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`the registry did not answer within ${PATIENCE_MS / 1_000} s`)
  }
}

/** The registry that npm asks otherwise. */
function beyond(cwd: string): string {
  return execFileSync('npm', ['config', 'get', 'registry'], { cwd, encoding: 'utf8' }).trim()
}

function configurationOver(registry: string): string {
  return JSON.stringify({
    storage: './storage',
    uplinks: { beyond: { url: registry, timeout: '60s', max_fails: 100 } },
    auth: { htpasswd: { file: './htpasswd' } },
    packages: {
      'margin-core': { access: '$all', publish: '$anonymous' },
      '**': { access: '$all', proxy: 'beyond' },
    },
    log: { type: 'stdout', level: 'error' },
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
