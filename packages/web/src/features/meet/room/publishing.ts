import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import type { LocalMedia } from '../devices/local-media.ts'
import type { MediaPort } from './media-port.ts'

/**
 * Keeps the published sources in sync with what is available and permitted. Steps run sequentially, each
 * with the latest state.
 */
export class Publishing {
  readonly #local: LocalMedia
  readonly #media: MediaPort
  readonly #onError: (error: unknown) => void
  readonly #sent = new Map<MediaSource, MediaStreamTrack>()
  readonly #muted = new Map<MediaSource, boolean>()
  readonly #unsubscribe: () => void
  #may = false
  /** The user is choosing devices; the result is published when they are done. */
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

  /** The engine has dropped the source on its own. */
  forget(source: MediaSource): void {
    this.#sent.delete(source)
    this.sync()
  }

  /** Syncs the published sources with the wanted ones. */
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

  /** Sends mute changes without waiting for anything. */
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
        // unpublishing clears the mute state
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
      // Without permission a retry is pointless; the next change of role or device triggers one.
      throw failure
    }
  }

  #wanted(source: MediaSource): MediaStreamTrack | undefined {
    const isDevice = source === 'mic' || source === 'cam'
    if (!this.#may || (this.#isHeld && isDevice)) return undefined
    return this.#local.trackOf(source)
  }
}
