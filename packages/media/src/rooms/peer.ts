import type { MediaClientMessage, MediaServerMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { LayerChoice } from '../choice/layer-choice.ts'
import type { ConnectionState, EngineEvents, Receive } from '../engine.ts'
import { MalformedDescription } from '../sdp/session-description.ts'
import type { Context } from './context.ts'
import type { Producer } from './producer.ts'
import { ReceiveConnection } from './receive-connection.ts'
import { NotAllowed, SendConnection } from './send-connection.ts'

type Message<T extends MediaClientMessage['type']> = Extract<MediaClientMessage, { type: T }>

/** Events of a peer that affect the others in its room. */
export interface PeerEvents {
  readonly onSources: () => void
  readonly onView: () => void
}

/** A participant: permissions, subscriptions and its two connections. */
export class Peer {
  readonly id: string
  readonly room: string
  receive: Receive
  /** Layer selection for what it receives; reset with each connection. */
  layers: LayerChoice
  /** Undefined if it hasn't sent a view yet. */
  view: Message<'view'>['tiles'] | undefined
  relay = false
  sendState: ConnectionState | null = null
  receiveState: ConnectionState | null = null
  readonly #context: Context
  readonly #events: PeerEvents
  readonly #silenced = new Set<MediaSource>()
  #may: ReadonlySet<MediaSource>
  #epoch = 0
  #sending: SendConnection | undefined
  #receiving: ReceiveConnection | undefined
  #last: Promise<void> = Promise.resolve()
  #closed = false

  constructor(
    context: Context,
    options: {
      readonly id: string
      readonly room: string
      readonly may: readonly MediaSource[]
      readonly receive: Receive
      readonly events: PeerEvents
    },
  ) {
    this.#context = context
    this.id = options.id
    this.room = options.room
    this.receive = options.receive
    this.#may = new Set(options.may)
    this.#events = options.events
    this.layers = new LayerChoice(context.now())
  }

  /** Undefined until its browser has started. */
  get receiving(): ReceiveConnection | undefined {
    return this.#receiving
  }

  get sending(): SendConnection | undefined {
    return this.#sending
  }

  /** Sources that others can receive from it. */
  get producers(): readonly Producer[] {
    return this.#sending?.producers.filter(({ parked, withdrawn }) => !parked && !withdrawn) ?? []
  }

  /** Messages are processed sequentially. */
  signal(message: MediaClientMessage): Promise<void> {
    const handled = this.#last.then(() => this.#take(message))
    // a failed one doesn't block the next ones
    this.#last = handled.catch(() => {})
    return handled
  }

  async #take(message: MediaClientMessage): Promise<void> {
    if (this.#closed) return
    if (message.type === 'start') {
      if (message.epoch > this.#epoch) this.#start(message)
      return
    }
    if (message.epoch !== this.#epoch) return
    switch (message.type) {
      case 'publish':
        return this.#publish(message)
      case 'layers':
        return this.#describeLayers(message)
      case 'answer':
        return this.#answer(message)
      case 'mute':
        return this.#mute(message)
      case 'unpublish':
        return this.#park(message.source, true)
      case 'republish':
        return this.#park(message.source, false)
      case 'view':
        this.view = message.tiles
        this.#events.onView()
    }
  }

  #start({ epoch, relay }: Message<'start'>): void {
    this.#closeConnections()
    this.#epoch = epoch
    this.relay = relay
    this.view = undefined
    this.layers = new LayerChoice(this.#context.now())
    this.receiveState = null
    this.#receiving = new ReceiveConnection(this.#context, {
      peer: this.id,
      epoch,
      relay,
      send: (message) => this.#tell(message),
      onState: (state) => this.#noteState('receive', state, epoch),
    })
    this.#events.onSources()
  }

  async #publish(message: Message<'publish'>): Promise<void> {
    const { n, epoch } = message
    const isFirst = this.#sending === undefined
    this.#sending ??= this.#openSending(epoch)
    const before = this.producers
    try {
      const sdp = await this.#sending.publish(message, this.#may)
      this.#tell({ type: 'published', epoch, n, sdp })
    } catch (error) {
      const reason = error instanceof NotAllowed ? 'not-allowed' : 'malformed'
      if (reason === 'malformed') this.#context.warn(`rejected an offer of ${this.id}`, error)
      if (isFirst) this.#closeSending()
      this.#tell({ type: 'publishFailed', epoch, n, reason })
    }
    // a permission may have been revoked while the answer was created
    this.#enforceRights()
    for (const producer of this.producers) producer.silenced = this.#silenced.has(producer.source)
    this.#tellSources(before, 'sender')
  }

  #openSending(epoch: number): SendConnection {
    this.sendState = null
    return new SendConnection(this.#context, {
      peer: this.id,
      relay: this.relay,
      onState: (state) => this.#noteState('send', state, epoch),
    })
  }

  async #describeLayers(message: Message<'layers'>): Promise<void> {
    try {
      await this.#sending?.describeLayers(message)
    } catch (error) {
      if (!(error instanceof MalformedDescription)) throw error
      this.#context.warn('applying layers failed', error)
    }
    this.#events.onView()
  }

  async #answer({ n, sdp }: Message<'answer'>): Promise<void> {
    try {
      await this.#receiving?.answer(n, sdp)
    } catch (error) {
      this.#context.warn('applying an answer failed', error)
      this.#restart()
    }
  }

  #mute({ source, muted }: Message<'mute'>): void {
    this.#change(source, (producer) => {
      producer.muted = muted
    })
  }

  /** Mutes a source for everyone, regardless of the sender. */
  silence(source: MediaSource, silenced: boolean): void {
    if (silenced) this.#silenced.add(source)
    else this.#silenced.delete(source)
    this.#change(source, (producer) => {
      producer.silenced = silenced
    })
  }

  #change(source: MediaSource, change: (producer: Producer) => void): void {
    const producer = this.#sending?.producerOf(source)
    if (producer === undefined) return
    const wasSilent = producer.isSilent
    change(producer)
    const muted = producer.isSilent
    if (muted === wasSilent) return
    for (const sink of producer.sinks) sink.interrupt()
    if (!muted) for (const { layer } of producer.streams) producer.requestKeyFrame(layer)
    this.#context.emit('muted', { room: this.room, peer: this.id, source, muted })
    this.#events.onSources()
  }

  #park(source: MediaSource, parked: boolean): void {
    const producer = this.#sending?.producerOf(source)
    if (producer === undefined) return
    const before = this.producers
    producer.parked = parked
    producer.muted = false
    // the permission was revoked and is restored
    if (!parked && this.#may.has(source)) producer.restore()
    else if (!parked) this.#withdraw(producer)
    this.#tellSources(before, 'sender')
  }

  setRights(may: readonly MediaSource[]): void {
    this.#may = new Set(may)
    const before = this.producers
    this.#enforceRights()
    this.#tellSources(before, 'withdrawn')
  }

  #enforceRights(): void {
    const producers = this.#sending?.producers ?? []
    for (const producer of producers) {
      if (!producer.withdrawn && !this.#may.has(producer.source)) this.#withdraw(producer)
    }
    // no source is left to send: the browser closes its side as well
    if (producers.length > 0 && producers.every(({ withdrawn }) => withdrawn)) {
      this.#sending?.close()
      this.#sending = undefined
    }
  }

  #withdraw(producer: Producer): void {
    producer.withdraw()
    this.#tell({ type: 'withdrawn', epoch: this.#epoch, source: producer.source })
  }

  /** Disconnects a sender that keeps sending a source without permission. */
  checkObedience(): void {
    if (this.#sending?.producers.some(({ isDefiant }) => isDefiant) !== true) return
    this.#closeSending()
    this.#restart()
  }

  #tellSources(before: readonly Producer[], reason: EngineEvents['unpublished']['reason']): void {
    const { room, id: peer, producers } = this
    for (const one of before) {
      if (!producers.includes(one))
        this.#context.emit('unpublished', { room, peer, source: one.source, reason })
    }
    for (const one of producers) {
      if (!before.includes(one)) this.#context.emit('published', { room, peer, source: one.source })
    }
    if (before.length !== producers.length || producers.some((one) => !before.includes(one)))
      this.#events.onSources()
  }

  #noteState(direction: 'send' | 'receive', state: ConnectionState, epoch: number): void {
    if (epoch !== this.#epoch || this.#closed) return
    if (direction === 'send') this.sendState = state
    else this.receiveState = state
    this.#context.emit('connection', { room: this.room, peer: this.id, direction, state })
    if (state === 'failed') this.#restart()
  }

  /** Recreates the connections, because the library has no ICE restart. */
  #restart(): void {
    this.#tell({ type: 'restart', reason: 'failed' })
  }

  #tell(message: MediaServerMessage): void {
    if (!this.#closed) this.#context.emit('toPeer', { peer: this.id, message })
  }

  /** Tells the browser what limits a line's quality. */
  tellQuality(quality: Omit<Extract<MediaServerMessage, { type: 'quality' }>, 'type' | 'epoch'>): void {
    this.#tell({ type: 'quality', epoch: this.#epoch, ...quality })
  }

  #closeConnections(): void {
    this.#closeSending()
    this.#receiving?.close()
    this.#receiving = undefined
  }

  #closeSending(): void {
    const before = this.producers
    this.#sending?.close()
    this.#sending = undefined
    this.#tellSources(before, 'gone')
  }

  close(): void {
    this.#closeConnections()
    this.#closed = true
  }
}
