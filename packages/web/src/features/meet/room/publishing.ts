import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import type { LocalMedia } from '../devices/local-media.ts'
import type { MediaPort } from './media-port.ts'

/** Keeps what is sent equal to what is there and may be sent. Steps come one after another, each with the newest wish. */
export class Publishing {
  readonly #local: LocalMedia
  readonly #media: MediaPort
  readonly #onError: (error: unknown) => void
  readonly #sent = new Map<MediaSource, MediaStreamTrack>()
  readonly #muted = new Map<MediaSource, boolean>()
  readonly #unsubscribe: () => void
  #may = false
  /** Somebody chooses devices: what comes of it is sent when the choice is made. */
  #isHeld = false
  #running: Promise<void> | undefined
  #isAgain = false

  constructor(local: LocalMedia, media: MediaPort, onError: (error: unknown) => void) {
    this.#local = local
    this.#media = media
    this.#onError = onError
    this.#unsubscribe = local.state.subscribe(() => this.sync())
  }

  allow(may: boolean): void {
    this.#may = may
    this.sync()
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.sync()
  }

  /** The engine has dropped it by itself. */
  forget(source: MediaSource): void {
    this.#sent.delete(source)
    this.sync()
  }

  /** Brings what is sent up to what is wanted. */
  sync(): void {
    this.#tellMutes()
    if (this.#running) {
      this.#isAgain = true
      return
    }
    this.#running = this.#step()
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined
        if (!this.#isAgain) return
        this.#isAgain = false
        this.sync()
      })
  }

  stop(): void {
    this.#unsubscribe()
  }

  /** Muting must not wait for anything. */
  #tellMutes(): void {
    const { microphone, camera } = this.#local.state.get()
    for (const [source, { muted }] of [
      ['mic', microphone],
      ['cam', camera],
    ] as const) {
      if ((this.#muted.get(source) ?? false) === muted) continue
      this.#muted.set(source, muted)
      this.#media.mute(source, muted)
    }
  }

  async #step(): Promise<void> {
    const fresh = new Map<MediaSource, MediaStreamTrack>()
    for (const source of mediaSources) {
      const wanted = this.#wanted(source)
      const sent = this.#sent.get(source)
      if (wanted === sent) continue
      if (wanted) fresh.set(source, wanted)
      else {
        this.#sent.delete(source)
        await this.#media.unpublish(source)
        // taking a source back forgets its switch
        this.#muted.delete(source)
      }
    }
    this.#tellMutes()
    if (fresh.size === 0) return
    for (const [source, track] of fresh) this.#sent.set(source, track)
    try {
      await this.#media.publish(fresh)
    } catch (failure) {
      for (const source of fresh.keys()) this.#sent.delete(source)
      // Without the right there is nothing to try again for; the next change of role or device does.
      throw failure
    }
  }

  #wanted(source: MediaSource): MediaStreamTrack | undefined {
    const isDevice = source === 'mic' || source === 'cam'
    if (!this.#may || (this.#isHeld && isDevice)) return undefined
    return this.#local.trackOf(source)
  }
}
