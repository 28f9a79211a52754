import type {
  MediaClientMessage,
  MediaServerMessage,
  Speakers,
} from '@gatehouse/contract/meetings/meet-media'
import {
  type CloseReason,
  chatHistory,
  meetRole,
  reconnectSeconds,
} from '@gatehouse/contract/meetings/meet-rules'
import type {
  ChatMessage,
  MeetingState,
  NotificationData,
  NotificationMethod,
  RoomOptions,
} from '@gatehouse/contract/meetings/meet-signalling'
import { relayLife } from '@gatehouse/media/relay/turn-credentials'
import { after } from '../platform/clock.ts'
import { WaitingList } from './door/waiting-list.ts'
import { MediaLink } from './media-link.ts'
import type { EndReason, Entrance, MeetingParts } from './meeting-parts.ts'
import { endMeeting, type MeetingFacts, readMeeting } from './meeting-store.ts'
import { type Connection, Participant, withoutRole } from './participant.ts'
import { type PeerChange, readMessages, readPeer, readPeers, writePeer } from './signalling/peer-store.ts'
import { relaysFor } from './turn-relays.ts'

/**
 * A meeting in the process that holds it: its participants and the notifications to them. The database has
 * everything that must survive the process; events are written there first or in the same step.
 */
export class Meeting {
  readonly id: string
  readonly roomId: number
  readonly tenantId: number
  readonly media: MediaLink
  readonly people = new Map<string, Participant>()
  readonly #parts: MeetingParts
  readonly #name: string
  #description: string | null
  #options: RoomOptions
  #chat: ChatMessage[] = []
  readonly #door: WaitingList
  /** Serialises joins, the end, and refreshes from the database. */
  #turn: Promise<unknown> = Promise.resolve()
  #emptySince: Date | undefined
  #isOver = false
  /** Called once when the meeting has ended. */
  onOver: (reason: EndReason) => void = () => undefined

  constructor(parts: MeetingParts, facts: MeetingFacts) {
    this.#parts = parts
    this.id = facts.id
    this.roomId = facts.roomId
    this.tenantId = facts.tenantId
    this.#name = facts.name
    this.#description = facts.description
    this.#options = optionsOf(facts)
    this.media = new MediaLink(parts.media, facts.id, parts.log)
    this.#emptySince = parts.clock.now()
    this.#door = new WaitingList(parts.db, parts.clock, facts.id)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Number of waiting knocks. */
  get waiting(): number {
    return this.#door.size
  }

  /**
   * Opens the media and loads the state left by a previous process; all participants have to reconnect. Throws
   * EngineGone if no engine is available.
   */
  async load(): Promise<void> {
    const { db, clock } = this.#parts
    await this.media.open()
    for (const stored of await readPeers(db, this.id)) {
      const participant = new Participant(stored)
      participant.lostAt = clock.now()
      this.people.set(participant.id, participant)
      this.media.add(participant)
    }
    this.#chat = await readMessages(db, this.id, chatHistory)
    await this.#door.read()
    if (this.people.size > 0) this.#emptySince = undefined
  }

  /** Runs work after all previously queued work. A failure doesn't block subsequent work. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /**
   * Admits the holder of a token; `answer` is called with the state before anything else is sent to the new
   * socket. Returns the reason if rejected.
   */
  enter(
    connection: Connection,
    { claims, seen }: Entrance,
    answer: (state: MeetingState) => void,
  ): Promise<CloseReason | undefined> {
    return this.inTurn(async () => {
      if (this.#isOver) return 'gone'
      const known = this.people.get(claims.peer)
      if (known !== undefined) {
        this.#comeBack(known, connection, seen, answer)
        return undefined
      }
      const stored = await readPeer(this.#parts.db, this.id, claims.peer)
      if (stored?.leftReason === 'kicked') return 'kicked'
      if (stored === undefined || stored.leftAt !== null || claims.use === 'resume') return 'gone'
      const participant = new Participant(stored)
      // the settings may have changed since the caller was admitted
      if (this.#options.nomedia && !participant.isOwner) {
        participant.role = withoutRole(participant.role, meetRole.publisher)
      }
      const { role } = participant
      await writePeer(this.#parts.db, participant.id, { joinedAt: this.#parts.clock.now(), role })
      this.people.set(participant.id, participant)
      this.#emptySince = undefined
      this.#attach(participant, connection)
      this.media.add(participant)
      participant.media = { sent: 0, heard: 0 }
      answer(this.#stateFor(participant, false))
      this.tell('newPeer', participant.info, { except: participant })
      return undefined
    })
  }

  /**
   * `seen`: media messages received by the browser. If any were lost with the old socket, media is restarted.
   */
  #comeBack(
    participant: Participant,
    connection: Connection,
    seen: number | undefined,
    answer: (state: MeetingState) => void,
  ): void {
    const old = participant.connection
    const wasLost = old === undefined
    const isWhole = participant.media !== undefined && participant.media.sent === seen
    const reason = participant.media === undefined ? 'engine' : 'failed'
    participant.media = { sent: seen ?? 0, heard: participant.media?.heard ?? 0 }
    this.#attach(participant, connection)
    old?.close('replaced')
    answer(this.#stateFor(participant, true))
    if (!isWhole) this.sendMedia(participant, { type: 'restart', reason })
    if (wasLost) this.tell('changeConnection', connected(participant), { except: participant })
  }

  /** Forwards a message from the media engine to a browser. */
  sendMedia(participant: Participant, message: MediaServerMessage): void {
    if (participant.media !== undefined) participant.media.sent++
    participant.connection?.send({ media: message })
  }

  /** Forwards a message from a browser to the media engine. */
  hearMedia(participant: Participant, message: MediaClientMessage): void {
    if (participant.media !== undefined) participant.media.heard++
    this.media.signal(participant, message)
  }

  #attach(participant: Participant, connection: Connection): void {
    participant.connection = connection
    participant.lostAt = undefined
    connection.belongTo(participant)
  }

  #stateFor(participant: Participant, isBack: boolean): MeetingState {
    const { tokens, config, clock } = this.#parts
    const { id, userId, nickname, role } = participant
    participant.relaysAt = clock.now()
    return {
      peerId: id,
      resume: tokens.issue({
        use: 'resume',
        meeting: this.id,
        peer: id,
        room: this.#name,
        user: userId,
        name: nickname,
        role,
      }),
      isBack,
      room: { name: this.#name, description: this.#description },
      peers: [...this.people.values()].map((one) => one.info),
      options: this.#options,
      chat: this.#chat,
      knocks: participant.isModerator ? this.#door.list : [],
      mediaSeen: participant.media?.heard ?? 0,
      iceServers: relaysFor(config, id, clock.now()),
      now: clock.now().toISOString(),
    }
  }

  /** Handles a lost socket: the participant may reconnect. */
  lose(participant: Participant, connection: Connection): void {
    if (participant.connection !== connection || !this.people.has(participant.id)) return
    participant.connection = undefined
    participant.lostAt = this.#parts.clock.now()
    this.tell('changeConnection', connected(participant))
  }

  /** Removes a participant permanently. */
  async remove(participant: Participant, reason: 'left' | 'lost' | 'kicked'): Promise<void> {
    if (!this.people.delete(participant.id)) return
    this.media.remove(participant)
    const { connection } = participant
    participant.connection = undefined
    if (reason !== 'lost') connection?.close(reason)
    this.tell('peerClosed', { peerId: participant.id, reason })
    if (this.people.size === 0) this.#emptySince = this.#parts.clock.now()
    await this.write(participant, { leftAt: this.#parts.clock.now(), leftReason: reason })
  }

  /** Notifies all or some participants. */
  tell<M extends NotificationMethod>(
    method: M,
    data: NotificationData<M>,
    { except, moderatorsOnly = false }: { except?: Participant; moderatorsOnly?: boolean } = {},
  ): void {
    for (const participant of this.people.values()) {
      if (participant === except || (moderatorsOnly && !participant.isModerator)) continue
      participant.connection?.send({ method, data })
    }
  }

  tellOne<M extends NotificationMethod>(
    participant: Participant,
    method: M,
    data: NotificationData<M>,
  ): void {
    participant.connection?.send({ method, data })
  }

  write(participant: Participant, change: PeerChange): Promise<void> {
    return writePeer(this.#parts.db, participant.id, change)
  }

  /** Changes a role: notifies everyone and the engine, and shows new moderators the waiting knocks. */
  async setRole(participant: Participant, role: number): Promise<void> {
    if (participant.role === role) return
    const wasModerator = participant.isModerator
    const wasPublisher = participant.isPublisher
    participant.role = role
    if (wasPublisher !== participant.isPublisher) this.media.allow(participant)
    this.tell('changeRole', { peerId: participant.id, role })
    if (participant.isPublisher && !wasPublisher) await this.setHand(participant, false)
    if (!participant.isPublisher) await this.setLanguage(participant, null)
    if (participant.isModerator && !wasModerator) {
      for (const knock of this.#door.list) this.tellOne(participant, 'signal:joinRequest', knock)
    }
    await this.write(participant, { role })
  }

  async setHand(participant: Participant, isRaised: boolean): Promise<void> {
    if ((participant.raisedAt !== null) === isRaised) return
    participant.raisedAt = isRaised ? this.#parts.clock.now() : null
    const raisedAt = participant.raisedAt?.toISOString() ?? null
    this.tell('changeRaisedHand', { peerId: participant.id, raisedHand: isRaised, raisedAt })
    await this.write(participant, { raisedAt: participant.raisedAt })
  }

  async setLanguage(participant: Participant, language: string | null): Promise<void> {
    if (participant.language === language) return
    participant.language = language
    this.tell('changeLanguage', { peerId: participant.id, language })
    await this.write(participant, { language })
  }

  /** Adds a chat message and returns it as sent to everyone. */
  say(participant: Participant, message: string): ChatMessage {
    const said = {
      id: (this.#chat.at(-1)?.id ?? 0) + 1,
      peerId: participant.id,
      nickname: participant.nickname,
      isVerified: participant.isVerified,
      message,
      sentAt: this.#parts.clock.now().toISOString(),
    }
    this.#chat.push(said)
    if (this.#chat.length > chatHistory) this.#chat.shift()
    this.tell('chatMessage', said)
    return said
  }

  /** Renames a participant, including in their previous chat messages. */
  rename(participant: Participant, nickname: string): void {
    participant.nickname = nickname
    const { isVerified } = participant
    this.#chat = this.#chat.map((said) =>
      said.peerId === participant.id ? { ...said, nickname, isVerified } : said,
    )
    this.tell('changeNickname', { peerId: participant.id, nickname, isVerified })
  }

  /** Refreshes from the database after a change to the room or its knocks, and notifies participants. */
  look(): Promise<void> {
    return this.inTurn(async () => {
      if (this.#isOver) return
      const { db } = this.#parts
      const facts = await readMeeting(db, this.id)
      if (facts === undefined || facts.isDeleted) return this.#finish('deleted')
      if (facts.isOver) return this.#finish('ended')
      await this.#follow(facts)
      await this.#followKnocks()
    })
  }

  async #follow(facts: MeetingFacts): Promise<void> {
    const before = this.#options
    this.#options = optionsOf(facts)
    this.#description = facts.description
    if (JSON.stringify(before) !== JSON.stringify(this.#options)) this.tell('changeOptions', this.#options)
    if (before.nomedia || !this.#options.nomedia) return
    for (const participant of this.people.values()) {
      if (!participant.isOwner) {
        await this.setRole(participant, withoutRole(participant.role, meetRole.publisher))
      }
    }
  }

  async #followKnocks(): Promise<void> {
    const { begun, ended } = await this.#door.read()
    for (const knock of ended) this.tell('knockEnded', knock, { moderatorsOnly: true })
    for (const knock of begun) this.tell('signal:joinRequest', knock, { moderatorsOnly: true })
  }

  speakers(speakers: Speakers): void {
    this.tell('speakers', { speakers })
  }

  /** Handles everything that is due. */
  async beat(now: Date): Promise<void> {
    if (this.#isOver) return
    for (const participant of this.people.values()) {
      const { lostAt, relaysAt, connection } = participant
      if (lostAt !== undefined && now >= after(lostAt, reconnectSeconds))
        await this.remove(participant, 'lost')
      else if (
        relaysAt !== undefined &&
        connection !== undefined &&
        now >= after(relaysAt, relayLife * 0.8)
      ) {
        participant.relaysAt = now
        const iceServers = relaysFor(this.#parts.config, participant.id, now)
        this.tellOne(participant, 'iceServers', { iceServers })
      }
    }
    const { config } = this.#parts
    if (this.#emptySince !== undefined && now >= after(this.#emptySince, config.MEET_EMPTY_SECONDS)) {
      return this.end('empty')
    }
    await this.#door.beat(now)
  }

  /** Ends the meeting for everyone. */
  end(reason: EndReason): Promise<void> {
    return this.inTurn(() => this.#finish(reason))
  }

  async #finish(reason: EndReason): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const { db, clock } = this.#parts
    const told = reason === 'empty' ? 'ended' : reason
    this.#closeAll(told)
    this.media.close()
    this.onOver(reason)
    await endMeeting(db, clock, this.id, reason)
  }

  /** Releases the meeting on shutdown: participants reconnect to another process. */
  release(): void {
    this.#isOver = true
    this.#closeAll('restart')
    this.media.close()
  }

  /** Participants aren't notified of each other's departure. */
  #closeAll(reason: CloseReason): void {
    const connections = [...this.people.values()].map((participant) => participant.connection)
    this.people.clear()
    for (const connection of connections) connection?.close(reason)
  }
}

function connected(participant: Participant) {
  return { peerId: participant.id, isConnected: participant.connection !== undefined }
}

function optionsOf(facts: MeetingFacts): RoomOptions {
  return { locked: facts.locked, nomedia: facts.nomedia, requires_password: facts.hasPassword }
}
