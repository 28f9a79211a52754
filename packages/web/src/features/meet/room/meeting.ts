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
  /** A request was not done: a `SignallingError`, or what the media say. */
  onError: (error: unknown) => void
  openSocket?: (url: string) => Socket
}

/** One participation in a meeting: signalling, media and state together. React draws it and calls its acts. */
export class Meeting {
  readonly room: Store<RoomState> = createStore(emptyRoom)
  /** What is received of the others. */
  readonly remotes: Store<readonly RemoteSource[]> = createStore<readonly RemoteSource[]>([])
  readonly mediaState: Store<MediaState> = createStore<MediaState>('idle')
  /** The dialog of microphone and camera is open. */
  readonly isChoosing: Store<boolean> = createStore(false)
  readonly local: LocalMedia
  readonly media: MediaPort
  readonly #options: MeetingOptions
  readonly #signalling: SignallingClient
  readonly #publishing: Publishing
  readonly #listeners = new Set<(message: MediaServerMessage) => void>()
  /** Sources that a moderator has muted: the engine has to be told when they are switched on again. */
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
          // The connections outlive a broken socket, unless something that was said about them went astray.
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

  /** Leaves and lets go of everything at once, as when the page goes away. */
  stop(): void {
    this.#isOver = true
    this.#signalling.stop()
    this.#publishing.stop()
    this.media.close()
    this.local.stopScreen()
  }

  /** Leaves; the meeting goes on. `onEnd` follows. */
  leave(): Promise<void> {
    return this.#signalling.leave()
  }

  /** Sends a request. False: it was not done, and `onError` has been told why. */
  async ask<M extends RequestMethod>(method: M, data: RequestData<M>): Promise<boolean> {
    try {
      await this.#signalling.request(method, data)
      return true
    } catch (error) {
      // Whoever ends the meeting gets its end in the place of an answer.
      if (!this.#isOver) this.#options.onError(error)
      return false
    }
  }

  /** Changes the own view only. */
  act(action: LocalAction): void {
    this.#reduce(action)
  }

  /** Switches the own microphone or camera. Without a device, the dialog to choose one opens. */
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

  /** Opens or closes the dialog of the devices; nothing of them is sent while it is open. */
  choose(open: boolean): void {
    this.#publishing.hold(open)
    this.isChoosing.set(open)
  }

  /** Begins or ends the sharing of the screen. */
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

  /** Who is given the floor chooses devices first; who loses it goes dark at once. */
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

  /** A moderator has muted a source of ours: the engine does not pass it on, and the switch shows so. */
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
