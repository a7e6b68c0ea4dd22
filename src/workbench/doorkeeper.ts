/**
 * Who may ask: only the page that the workbench itself printed the address of. Any page that a browser shows can send requests to this
 * machine, so a secret is asked for with each, and what the browser says of itself has to fit.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

/** What of a request says from where it comes. */
interface Sender {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
}

export class Doorkeeper {
  /** In the address that is printed; whoever has it may start runs. */
  readonly token: string
  readonly #name: string

  /** @param name of this machine, as it was asked to listen. */
  constructor(name: string, token = randomBytes(32).toString('base64url')) {
    this.#name = name.toLowerCase()
    this.token = token
  }

  /**
   * Why a request is turned away; null where it may come in. A name that an enemy's server gives out can lead here as well (DNS
   * rebinding), an address cannot.
   */
  objection({ host, origin, fetchSite }: Sender): string | null {
    const name = nameIn(host)
    const isHere =
      name !== null && (isIP(name) !== 0 || name === 'localhost' || name.toLowerCase() === this.#name)
    if (!isHere) return 'this is asked for under another name than that of this machine'
    if (origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`)
      return 'a page from elsewhere asks'
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
      return 'a page from elsewhere asks'
    return null
  }

  /** Whether a header says the token. */
  knows(authorization: string | undefined): boolean {
    return isSame(authorization ?? '', `Bearer ${this.token}`)
  }

  /** Part of an address that shows one thing alone: a browser that follows a link sends no header. */
  ticket(...what: readonly string[]): string {
    return createHmac('sha256', this.token).update(JSON.stringify(what)).digest('base64url')
  }

  admits(ticket: string, ...what: readonly string[]): boolean {
    return isSame(ticket, this.ticket(...what))
  }
}

/** Without its port; null for what is no name and no address. */
function nameIn(host: string | undefined): string | null {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? []
  return bracketed ?? plain ?? null
}

/** In a time that says nothing of where they differ. */
function isSame(said: string, known: string): boolean {
  const [one, other] = [said, known].map((text) => createHmac('sha256', 'same').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
