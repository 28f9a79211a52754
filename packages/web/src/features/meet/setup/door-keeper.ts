import { createStore, type Store } from '../../../state/store.ts'
import { askAtDoor, type Knocking } from './door.ts'
import { answered, asking, atDoor, type DoorState } from './door-state.ts'

/** What the setup screen knows about the person joining. */
export interface Facts {
  nickname: string
  password: string
  requestId: string
  /** Taken at the time of the request. */
  picture: () => string | undefined
  canPublish: () => boolean
}

/** Asks to enter a room, and polls while there is something to wait for. */
export class DoorKeeper {
  readonly state: Store<DoorState> = createStore(atDoor)
  readonly #name: string
  #facts: Facts | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #question: AbortController | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** Sets the facts used from the next request on. */
  tell(facts: Facts): void {
    this.#facts = facts
  }

  /** Requests the room's state without entering. */
  check(): Promise<void> {
    return this.#ask(false)
  }

  /** Opens the room, enters it or knocks. */
  join(): Promise<void> {
    return this.#ask(true)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#question?.abort()
  }

  async #ask(init: boolean): Promise<void> {
    this.stop()
    const question = new AbortController()
    this.#question = question
    const asked = this.#knocking(init)
    this.state.update((state) => asking(state, asked))
    const answer = await askAtDoor(this.#name, asked, question.signal).catch(() => undefined)
    if (question.signal.aborted) return
    this.state.update((state) => answered(state, asked, answer ?? { kind: 'failed' }))
    const { wait, again } = this.state.get()
    if (wait !== undefined) this.#timer = setTimeout(() => void this.#ask(again), wait * 1000)
  }

  #knocking(init: boolean): Knocking {
    if (!this.#facts) return { init }
    const { picture, canPublish, ...facts } = this.#facts
    return { ...facts, init, canPublish: canPublish(), picture: init ? picture() : undefined }
  }
}
