import type { IceServer, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import type { RequestData, RequestMethod } from '@gatehouse/contract/meetings/meet-signalling'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { createStore, type Store } from '../../../state/store.ts'
import type { DeviceKind } from '../devices/capture.ts'
import type { LocalMedia } from '../devices/local-media.ts'
import {
  type EndReason,
  type Notification,
  SignallingClient,
  type Socket,
} from '../signalling/signalling-client.ts'
import type { MakeMedia, MediaPort, MediaState, RemoteSource, Tiles } from './media-port.ts'
import { Publishing } from './publishing.ts'
import { isPublisher } from './roles.ts'
import { peerOf, reduceRoom } from './room-reducer.ts'
import { emptyRoom, type LocalAction, type RoomState } from './room-state.ts'

export interface MeetingOptions {
  url: string
  token: string
  local: LocalMedia
  makeMedia: MakeMedia
  onEnd: (reason: EndReason) => void
  /** Called when a request fails, with a `SignallingError` or a media error. */
  onError: (error: unknown) => void
  openSocket?: (url: string) => Socket
}

/** One participation in a meeting: signalling, media and state. React renders it and calls its actions. */
export class Meeting {
  readonly room: Store<RoomState> = createStore(emptyRoom)
  /** Sources received from other participants. */
  readonly remotes: Store<readonly RemoteSource[]> = createStore<readonly RemoteSource[]>([])
  readonly mediaState: Store<MediaState> = createStore<MediaState>('idle')
  /** Whether the dialog for microphone and camera is open. */
  readonly isChoosing: Store<boolean> = createStore(false)
  readonly local: LocalMedia
  readonly media: MediaPort
  readonly #options: MeetingOptions
  readonly #signalling: SignallingClient
  readonly #publishing: Publishing
  readonly #listeners = new Set<(message: MediaServerMessage) => void>()
  /** Sources muted by a moderator; the engine must be notified when they are unmuted. */
  readonly #forced = new Set<MediaSource>()
  #relays: readonly IceServer[] = []
  #hasBegun = false
  #isOver = false

  constructor(options: MeetingOptions) {
    const { url, token, local, makeMedia, openSocket } = options
    this.#options = options
    this.local = local
    this.#signalling = new SignallingClient({
      url,
      token,
      openSocket,
      events: {
        onState: (state, { isMediaWhole }) => {
          this.#relays = state.iceServers
          this.#reduce({ type: 'state', state })
          // The connections survive a broken socket, unless messages about them were lost.
          if (!this.#hasBegun || !isMediaWhole) this.media.start()
          this.#hasBegun = true
          this.#publishing.allow(this.#maySend)
        },
        onNotification: (notification) => this.#take(notification),
        onMedia: (message) => {
          for (const listener of this.#listeners) listener(message)
        },
        onConnected: (connected) => this.#reduce({ type: 'connected', connected }),
        onEnd: (reason) => {
          this.stop()
          options.onEnd(reason)
        },
      },
    })
    this.media = makeMedia({
      transport: {
        send: (message) => void this.#signalling.sendMedia(message),
        on: (listener) => {
          this.#listeners.add(listener)
          return () => this.#listeners.delete(listener)
        },
      },
      relays: () => this.#relays,
      onSources: (sources) => this.#hear(sources),
      onState: (state) => this.mediaState.set(state),
      onWithdrawn: (source) => this.#withdraw(source),
      onError: options.onError,
    })
    this.#publishing = new Publishing(local, this.media, options.onError)
  }

  start(): void {
    this.#signalling.start()
  }

  /** Leaves and releases everything at once, as when the page is closed. */
  stop(): void {
    this.#isOver = true
    this.#signalling.stop()
    this.#publishing.stop()
    this.media.close()
    this.local.stopScreen()
  }

  /** Leaves; the meeting continues. `onEnd` follows. */
  leave(): Promise<void> {
    return this.#signalling.leave()
  }

  /** Sends a request. Returns false if it failed, after calling `onError`. */
  async ask<M extends RequestMethod>(method: M, data: RequestData<M>): Promise<boolean> {
    try {
      await this.#signalling.request(method, data)
      return true
    } catch (error) {
      // Ending the meeting yields its end instead of a response.
      if (!this.#isOver) this.#options.onError(error)
      return false
    }
  }

  /** Changes the local view only. */
  act(action: LocalAction): void {
    this.#reduce(action)
  }

  /** Toggles the user's microphone or camera. Without a device, opens the dialog to choose one. */
  toggle(kind: DeviceKind): void {
    const { track, muted } = this.local.state.get()[kind]
    if (!this.#maySend) return
    if (!track) {
      this.choose(true)
      return
    }
    this.local.setMuted(kind, !muted)
    const source = kind === 'microphone' ? 'mic' : 'cam'
    if (muted && this.#forced.delete(source)) void this.ask('unmute', { source })
  }

  /** Opens or closes the device dialog; devices aren't published while it is open. */
  choose(open: boolean): void {
    this.#publishing.hold(open)
    this.isChoosing.set(open)
  }

  /** Starts or stops sharing the screen. */
  async toggleScreen(): Promise<void> {
    const { screen } = this.local.state.get()
    if (screen.length > 0) return this.local.stopScreen()
    try {
      await this.local.shareScreen()
    } catch (failure) {
      this.#options.onError(failure)
    }
  }

  setView(tiles: Tiles): void {
    this.media.setView(tiles)
  }

  get #maySend(): boolean {
    const room = this.room.get()
    const me = peerOf(room, room.me)
    return me !== undefined && isPublisher(me)
  }

  #reduce(event: Parameters<typeof reduceRoom>[1]): void {
    this.room.update((room) => reduceRoom(room, event))
  }

  #take(notification: Notification): void {
    this.#reduce({ type: 'notification', notification })
    const { me } = this.room.get()
    if (notification.method === 'iceServers') this.#relays = notification.data.iceServers
    if (notification.method === 'changeRole' && notification.data.peerId === me) this.#followRole()
    if (notification.method === 'muteRequest' && notification.data.isForced)
      this.#mute(notification.data.source)
  }

  /** Given the floor, the user chooses devices first; losing it stops them at once. */
  #followRole(): void {
    const { happened } = this.room.get()
    if (happened?.kind === 'promoted') {
      this.choose(true)
      void this.local.open()
    }
    this.#publishing.allow(this.#maySend)
    if (happened?.kind !== 'demoted') return
    this.choose(false)
    this.local.release()
  }

  /** A moderator muted a source of ours: the engine doesn't forward it, and the button shows it. */
  #mute(source: MediaSource): void {
    this.#forced.add(source)
    if (source === 'mic') this.local.setMuted('microphone', true)
    else if (source === 'cam') this.local.setMuted('camera', true)
    else this.local.stopScreen()
  }

  #withdraw(source: MediaSource): void {
    this.#publishing.forget(source)
    if (source === 'screen' || source === 'screenaudio') this.local.stopScreen()
  }

  #hear(sources: readonly RemoteSource[]): void {
    const room = this.room.get()
    const before = this.remotes.get()
    this.remotes.set(sources)
    for (const { peer, source } of sources) {
      if (source !== 'screen' || before.some((one) => one.peer === peer && one.source === source)) continue
      this.act({ type: 'shares', nickname: peerOf(room, peer)?.nickname ?? '' })
    }
  }
}
