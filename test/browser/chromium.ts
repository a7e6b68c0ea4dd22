// Chromium from the system, driven without a download; tests that need it are skipped where there is none.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const EXECUTABLE = process.env.MARGIN_CORE_CHROMIUM ?? '/usr/bin/chromium'

export const hasChromium = existsSync(EXECUTABLE)
if (!hasChromium)
  process.stderr.write(
    `tests in a browser are skipped: there is no ${EXECUTABLE} (apt-get install chromium)\n`,
  )

/** How long the browser may take for one thing on a machine that is busy with others. */
const PATIENCE_MS = 90_000

/** A fresh profile, without a network unless asked for; ended with `end`. */
export class Browser {
  readonly #context: BrowserContext
  readonly #profile: string

  private constructor(context: BrowserContext, profile: string) {
    this.#context = context
    this.#profile = profile
  }

  static async start({ offline = true } = {}): Promise<Browser> {
    const profile = mkdtempSync(path.join(tmpdir(), 'margin-core-chromium-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: EXECUTABLE,
      headless: true,
      timeout: PATIENCE_MS,
      offline,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    context.setDefaultTimeout(PATIENCE_MS)
    return new Browser(context, profile)
  }

  async page(): Promise<Page> {
    return this.#context.newPage()
  }

  async end(): Promise<void> {
    await this.#context.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}
