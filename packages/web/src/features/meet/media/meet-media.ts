import type {
  IceServer,
  MediaClientMessage,
  MediaServerMessage,
} from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { MediaTransport } from './media-transport.ts'
import { ReceiveSide, type RemoteSource } from './receive-side.ts'
import { fits, SendSide } from './send-side.ts'

/** `reconnecting`: both connections are being re-established; no action is needed. */
export type MediaState = 'idle' | 'connecting' | 'connected' | 'reconnecting'

export type Tiles = Extract<MediaClientMessage, { type: 'view' }>['tiles']

export interface MeetMediaOptions {
  readonly transport: MediaTransport
  /** Relays with fresh credentials, requested on each connect. Empty: no relays. */
  readonly relays: () => readonly IceServer[]
  /** Starts with a relay; by default, one is tried only if the direct connection fails. */
  readonly relay?: boolean
  readonly onSources: (sources: readonly RemoteSource[]) => void
  readonly onState: (state: MediaState) => void
  /**
   * Called when a source of ours is no longer accepted, because the permission was revoked. Its track must be
   * stopped.
   */
  readonly onWithdrawn: (source: MediaSource) => void
  readonly onError: (error: unknown) => void
}

/**
 * Milliseconds without a connection before a relay is tried, and before a broken connection is
 * re-established.
 */
const patience = { direct: 5000, broken: 4000, quiet: 1000, view: 250 }
/** Milliseconds between attempts; the first follows at once. */
const pauses = [0, 1000, 2000, 5000, 10_000]

/**
 * Media of one participant: two connections to the engine, re-established under the same name whenever one
 * breaks. Keeps the published tracks, so that callers don't notice.
 */
export class MeetMedia {
  readonly #options: MeetMediaOptions
  readonly #unsubscribe: () => void
  readonly #tracks = new Map<MediaSource, MediaStreamTrack>()
  readonly #muted = new Set<MediaSource>()
  #tiles: Tiles | undefined
  #epoch = 0
  #relay = false
  #send: SendSide | undefined
  #receive: ReceiveSide | undefined
  #state: MediaState = 'idle'
  #attempts = 0
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #pause: ReturnType<typeof setTimeout> | undefined
  #quiet: ReturnType<typeof setTimeout> | undefined
  #viewTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(options: MeetMediaOptions) {
    this.#options = options
    this.#relay = options.relay === true
    this.#unsubscribe = options.transport.on((message) => this.#take(message))
  }

  get state(): MediaState {
    return this.#state
  }

  /** Both connections, for statistics; undefined if there is none. */
  get connections(): { readonly send?: RTCPeerConnection; readonly receive?: RTCPeerConnection } {
    return { send: this.#send?.connection, receive: this.#receive?.connection }
  }

  get usesRelay(): boolean {
    return this.#relay
  }

  /** Starts or restarts, when the signalling has reconnected or the network has changed. */
  start(): void {
    if (this.#closed) return
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#close()
    this.#epoch++
    this.#setState(this.#epoch === 1 ? 'connecting' : 'reconnecting')
    const { transport } = this.#options
    transport.send({ type: 'start', epoch: this.#epoch, relay: this.#relay })
    this.#receive = new ReceiveSide(transport, this.#epoch, this.#configuration(), () => this.#tellSources())
    this.#follow(this.#receive.connection)
    if (this.#tiles !== undefined) this.#sendView()
    if (this.#tracks.size > 0) this.#publish(new Map(this.#tracks)).catch(this.#options.onError)
    // alone and silent: nothing to connect for
    else this.#quiet = setTimeout(() => this.#noteConnected(), patience.quiet)
  }

  #configuration(): RTCConfiguration {
    if (!this.#relay) return {}
    return { iceServers: [...this.#options.relays()], iceTransportPolicy: 'relay' }
  }

  /** Publishes tracks; a source that is already published gets the new track. Throws `PublishFailed`. */
  async publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>): Promise<void> {
    const fresh = new Map<MediaSource, MediaStreamTrack>()
    for (const [source, track] of tracks) {
      if (!fits(source, track)) throw new TypeError(`${track.kind} track does not fit source ${source}`)
      const isSent = this.#tracks.has(source)
      this.#tracks.set(source, track)
      track.enabled = !this.#muted.has(source)
      if (isSent) await this.#send?.replace(source, track)
      else fresh.set(source, track)
    }
    if (fresh.size > 0 && this.#epoch > 0) await this.#publish(fresh)
  }

  async #publish(tracks: ReadonlyMap<MediaSource, MediaStreamTrack>): Promise<void> {
    const epoch = this.#epoch
    if (this.#send === undefined) {
      this.#send = new SendSide(this.#options.transport, epoch, this.#configuration())
      this.#follow(this.#send.connection)
      this.#watch()
    }
    try {
      await this.#send.publish(tracks)
    } catch (error) {
      if (epoch !== this.#epoch) return
      for (const source of tracks.keys()) this.#tracks.delete(source)
      // the engine rejected an offer of this browser: both restart with the remaining sources
      this.#restart()
      throw error
    }
    if (epoch !== this.#epoch) return
    for (const source of tracks.keys()) if (this.#muted.has(source)) this.#sendMute(source, true)
  }

  /** Unpublishes a source. The caller stops its track. */
  async unpublish(source: MediaSource): Promise<void> {
    this.#tracks.delete(source)
    this.#muted.delete(source)
    await this.#send?.unpublish(source)
  }

  /** Mutes or unmutes a source of ours; its track stays. */
  mute(source: MediaSource, muted: boolean): void {
    if (muted) this.#muted.add(source)
    else this.#muted.delete(source)
    const track = this.#tracks.get(source)
    if (track !== undefined) track.enabled = !muted
    this.#sendMute(source, muted)
  }

  #sendMute(source: MediaSource, muted: boolean): void {
    if (this.#epoch > 0) this.#options.transport.send({ type: 'mute', epoch: this.#epoch, source, muted })
  }

  /** Sets the visible tiles, in device pixels; no other video is sent. Updates are batched. */
  setView(tiles: Tiles): void {
    this.#tiles = tiles
    this.#viewTimer ??= setTimeout(() => this.#sendView(), patience.view)
  }

  #sendView(): void {
    clearTimeout(this.#viewTimer)
    this.#viewTimer = undefined
    if (this.#tiles !== undefined && this.#epoch > 0)
      this.#options.transport.send({ type: 'view', epoch: this.#epoch, tiles: this.#tiles })
  }

  #take(message: MediaServerMessage): void {
    if (this.#closed) return
    if (message.type === 'restart') {
      this.#restart()
      return
    }
    if (message.epoch !== this.#epoch) return
    switch (message.type) {
      case 'published':
      case 'publishFailed':
        this.#send?.take(message)
        return
      case 'withdrawn':
        this.#tracks.delete(message.source)
        this.#drop(message.source)
        this.#options.onWithdrawn(message.source)
        return
      case 'offer':
        this.#watch()
        this.#receive?.take(message).catch(this.#options.onError)
        return
      default:
        this.#receive?.take(message).catch(this.#options.onError)
    }
  }

  /**
   * When nothing may be published any longer, the engine closes its side too; the next source gets a new
   * connection.
   */
  #drop(source: MediaSource): void {
    this.#send?.drop(source).catch(this.#options.onError)
    if (this.#send?.isUsed !== false) return
    this.#send.close()
    this.#send = undefined
  }

  #follow(connection: RTCPeerConnection): void {
    connection.addEventListener('connectionstatechange', () => {
      if (connection !== this.#send?.connection && connection !== this.#receive?.connection) return
      const { connectionState } = connection
      if (connectionState === 'failed') this.#restart()
      else if (connectionState === 'disconnected') this.#watch(patience.broken)
      else if (connectionState === 'connected') this.#noteConnected()
    })
  }

  /** Whether all connections in use are up. */
  get #isConnected(): boolean {
    const receives = this.#receive?.connection.remoteDescription != null
    return (
      (!receives || this.#receive?.connection.connectionState === 'connected') &&
      (this.#send?.isUsed !== true || this.#send.connection.connectionState === 'connected')
    )
  }

  #noteConnected(): void {
    if (!this.#isConnected) return
    clearTimeout(this.#watchdog)
    this.#watchdog = undefined
    this.#attempts = 0
    this.#setState('connected')
  }

  /** Restarts the connections if they aren't up in time; via a relay if the direct path failed. */
  #watch(time: number = patience.direct): void {
    this.#watchdog ??= setTimeout(() => {
      this.#watchdog = undefined
      if (this.#isConnected) return
      const neverWas = this.#state !== 'connected'
      if (neverWas && this.#options.relays().length > 0) this.#relay = !this.#relay
      this.#restart()
    }, time)
  }

  #restart(): void {
    if (this.#pause !== undefined) return
    this.#setState('reconnecting')
    const pause = pauses[Math.min(this.#attempts, pauses.length - 1)] ?? 0
    this.#attempts++
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.start()
    }, pause)
  }

  #setState(state: MediaState): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onState(state)
  }

  #tellSources(): void {
    this.#options.onSources(this.#receive?.sources ?? [])
  }

  #close(): void {
    clearTimeout(this.#watchdog)
    clearTimeout(this.#quiet)
    this.#watchdog = undefined
    this.#send?.close()
    this.#receive?.close()
    this.#send = undefined
    this.#receive = undefined
  }

  /** Closes both connections. The caller stops the tracks. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#pause)
    clearTimeout(this.#viewTimer)
    this.#unsubscribe()
    this.#close()
    this.#setState('idle')
  }
}
