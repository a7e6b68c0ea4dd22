/** A hub of the stream in its tests, and who hears it. */

import { afterEach } from 'vitest'
import { StreamHub } from '../../src/host/stream/hub.ts'
import { Listener, type Outlet } from '../../src/host/stream/listener.ts'
import type { Message } from '../../src/host/stream/message.ts'
import type { Engine } from '../../src/index.ts'
import type { EndReason } from '../../src/resources/stream.ts'
import type { ALICE } from './venue.ts'

/** What comes out, read or not. */
export class Tape implements Outlet {
  readonly texts: string[] = []
  complete: number | null = null
  isOver = false
  isRead = true
  unsent = 0

  send(messages: readonly Message[], complete: number | null): void {
    for (const { json } of messages) {
      this.texts.push(json)
      if (!this.isRead) this.unsent += json.length
    }
    this.complete = complete ?? this.complete
  }

  async taken(): Promise<boolean> {
    return true
  }

  end(): void {
    this.isOver = true
  }

  told(type: string) {
    return this.texts.map((text) => JSON.parse(text)).filter((message) => message.type === type)
  }
}

const opened: StreamHub[] = []
afterEach(() => {
  for (const hub of opened.splice(0)) hub.close()
})

export function hubOf(engine: Engine): StreamHub {
  const hub = new StreamHub(engine, (error) => {
    throw error
  })
  opened.push(hub)
  return hub
}

export function listen(hub: StreamHub, outlet: Outlet, { accountId, userId }: typeof ALICE): Listener {
  const obstacle = (): EndReason | null => null
  const listener = new Listener({ userId, accountIds: [accountId], hearsAll: false, outlet, obstacle })
  hub.add(listener)
  return listener
}
