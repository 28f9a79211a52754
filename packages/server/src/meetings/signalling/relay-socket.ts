import { maxMessageBytes, signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import { textOf } from '@gatehouse/media/socket-channel'
import { WebSocket } from 'ws'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets, TokenSecrets } from '../../platform/secrets.ts'

/** Header that authenticates sockets between processes of the installation. */
export const relayHeader = 'x-gatehouse-relay'

const purpose = 'meeting-relay'

/** Seconds for which the header is valid. */
const patience = 30

/** Maximum messages queued until the other process responds. */
const mostEarly = 20

/** Milliseconds after which an unresponsive process is considered dead. */
const handshake = 5000

/**
 * Sockets between processes of an installation. A meeting is held by one process; any other process forwards
 * the browser's socket to it, message by message, in both directions.
 */
export class RelaySockets {
  readonly #secrets: TokenSecrets
  readonly #clock: Clock
  readonly #log: Log

  constructor(secrets: Secrets, clock: Clock, log: Log) {
    this.#secrets = secrets.tokens
    this.#clock = clock
    this.#log = log
  }

  /** Returns whether the header was recently created by a process of this installation. */
  isOurs(header: string | string[] | undefined): boolean {
    const [moment = '', signature = ''] = String(header ?? '').split('.')
    const given = Buffer.from(signature, 'base64url')
    const isSigned = this.#secrets.isSigned(purpose, moment, given)
    return isSigned && Math.abs(Number(moment) * 1000 - this.#clock.now().getTime()) <= patience * 1000
  }

  /**
   * Forwards a browser's socket to another process; returns a function that forwards the browser's messages.
   */
  connect(browser: WebSocket, url: string): (text: string) => void {
    const moment = String(Math.floor(this.#clock.now().getTime() / 1000))
    const target = new WebSocket(`${url.replace(/^http/, 'ws')}${signallingPath}`, signallingProtocol, {
      headers: { [relayHeader]: `${moment}.${this.#secrets.sign(purpose, moment).toString('base64url')}` },
      handshakeTimeout: handshake,
      maxPayload: 16 * maxMessageBytes,
      perMessageDeflate: false,
    })
    const early: string[] = []
    target.on('open', () => {
      for (const text of early.splice(0)) target.send(text)
    })
    target.on('message', (data) => browser.send(textOf(data)))
    target.on('close', (code, reason) => {
      // codes that an endpoint must not send denote a broken connection
      if (code >= 3000 || code === 1000) browser.close(code, reason)
      else browser.terminate()
    })
    target.on('error', (error) =>
      this.#log.warn({ err: error, url }, 'no connection to the process that holds a meeting'),
    )
    browser.on('close', () => target.terminate())
    return (text) => {
      if (target.readyState === target.OPEN) target.send(text)
      else if (early.length < mostEarly) early.push(text)
      else browser.terminate()
    }
  }
}
