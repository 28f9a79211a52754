import { createStore, type Store } from '../../../state/store.ts'
import { askAtDoor, type Knocking } from './door.ts'
import { answered, asking, atDoor, type DoorState } from './door-state.ts'

/** What the set-up screen knows of who stands before the door. */
export interface Facts {
  nickname: string
  password: string
  requestId: string
  /** As it is in the moment of a question. */
  picture: () => string | undefined
  canPublish: () => boolean
}

/** Asks at the door of a room, and again by itself where there is something to wait for. */
export class DoorKeeper {
  readonly state: Store<DoorState> = createStore(atDoor)
  readonly #name: string
  #facts: Facts | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #question: AbortController | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** What counts from the next question on. */
  tell(facts: Facts): void {
    this.#facts = facts
  }

  /** How things stand, without coming in. */
  check(): Promise<void> {
    return this.#ask(false)
  }

  /** Opens the room, enters it, or knocks. */
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
