import { createBrowserHistory, type HistoryLocation, type RouterHistory } from '@tanstack/history'
import type { ComponentType } from 'react'
import type { MessageKey } from '../i18n/areas.ts'
import { createStore } from '../state/store.ts'
import { type HistoryState, hrefOf, type Location, readLocation, type Target } from './location.ts'
import { type Params, RouteMatcher } from './match.ts'

/** A path of the application and what is shown there. */
export interface Route {
  /** `$name` stands for one segment, `{-$name}` for one that may be missing, `$` at the end for the rest. */
  readonly path: string
  readonly title?: MessageKey
  /** Decides whether the screen may be shown: throws a `Redirect`, or an error that is shown in its place. */
  readonly check?: (location: Location) => Promise<void> | void
  /** Brings what the screen needs. */
  readonly load?: () => Promise<void>
  readonly Screen: ComponentType
}

/** Thrown by a check: another address takes the place of this one in the history. */
export class Redirect extends Error {
  override readonly name = 'Redirect'
  readonly target: Target

  constructor(target: Target) {
    super('Navigated to another location')
    this.target = target
  }
}

/** A navigation; without `search` and `hash` the new address has none. */
export interface Navigation extends Target {
  /** The address takes the place of the current one in the history. */
  replace?: boolean
  /** What the entry of the history remembers; the address never shows it. */
  state?: HistoryState | ((current: HistoryState) => HistoryState)
  /** False: the page stays where it is scrolled to. */
  resetScroll?: boolean
  /** Nothing asks about unsaved changes. */
  ignoreBlocker?: boolean
}

/** What is on the screen. */
export interface Shown<R> {
  readonly location: Location
  /** Undefined: no route has this path. */
  readonly route: R | undefined
  readonly params: Params
  /** Why the route can't be shown. */
  readonly failure?: unknown
  readonly resetScroll: boolean
}

export interface RouterOptions<R> {
  routes: readonly R[]
  /** Path below which the application lies; `''` for none. */
  base?: string
  history?: RouterHistory
  /** Called when another address is shown. */
  onArrive?: () => void
}

/** Follows the address: checks the route, brings its screen, and then shows it. A later navigation overtakes. */
export class Router<R extends Route = Route> {
  readonly history: RouterHistory
  /** Undefined until the first screen is ready. */
  readonly shown = createStore<Shown<R> | undefined>(undefined)
  /** Whether a screen is on its way. */
  readonly isPending = createStore(false)
  readonly #base: string
  readonly #matcher: RouteMatcher<R>
  readonly #onArrive: () => void
  #turn = 0
  #arrivedAt: string | undefined
  #resetScroll = true
  #arrival: Promise<void> = Promise.resolve()

  constructor({
    routes,
    base = '',
    history = createBrowserHistory(),
    onArrive = () => {},
  }: RouterOptions<R>) {
    this.history = history
    this.#base = base
    this.#matcher = new RouteMatcher(routes)
    this.#onArrive = onArrive
  }

  /** The address, which the screen may not show yet. */
  get location(): Location {
    return this.read(this.history.location)
  }

  /** Begins with the current address; call the answer to stop. */
  start(): () => void {
    const follow = () => {
      this.#arrival = this.#follow()
    }
    follow()
    return this.history.subscribe(follow)
  }

  /** Reads an address of the history, such as one that is asked for. */
  read(location: HistoryLocation): Location {
    return readLocation(location, this.#base)
  }

  /** Where a link to the target leads, with the base path. */
  hrefOf(target: Target): string {
    return this.#base + hrefOf(target, this.location.pathname)
  }

  /** Told by the view, once it shows something. */
  arrive({ location: { href } }: Shown<unknown>): void {
    if (href !== this.#arrivedAt) this.#onArrive()
    this.#arrivedAt = href
  }

  /** Goes somewhere; resolves once it is shown, or something else was decided. */
  async navigate({ replace = false, state = {}, resetScroll = true, ignoreBlocker, ...target }: Navigation) {
    const { location } = this
    const kept = typeof state === 'function' ? state(location.state) : state
    this.#resetScroll = resetScroll
    const before = this.#arrival
    this.history[replace ? 'replace' : 'push'](this.hrefOf(target), kept, { ignoreBlocker })
    // the history asks blockers first, and tells once they agree
    await Promise.resolve()
    if (this.#arrival !== before) await this.#arrival
  }

  /** Decides about the current address again. */
  async recheck(): Promise<void> {
    this.#resetScroll = false
    this.#arrival = this.#follow()
    await this.#arrival
  }

  async #follow(): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    const resetScroll = this.#resetScroll
    this.#resetScroll = true
    const { location } = this
    const { route, params = {} } = this.#matcher.find(location.pathname) ?? {}
    this.isPending.set(true)
    const outcome = await bring(route, location)
    if (turn !== this.#turn) return
    if (outcome instanceof Redirect)
      return this.navigate({ ...outcome.target, replace: true, ignoreBlocker: true })
    this.shown.set({ location, route, params, resetScroll, ...outcome })
    this.isPending.set(false)
  }
}

async function bring(
  route: Route | undefined,
  location: Location,
): Promise<Redirect | { failure?: unknown }> {
  try {
    await route?.check?.(location)
    await route?.load?.()
    return {}
  } catch (failure) {
    return failure instanceof Redirect ? failure : { failure }
  }
}
