import { createBrowserHistory, type HistoryLocation, type RouterHistory } from '@tanstack/history'
import type { ComponentType } from 'react'
import type { MessageKey } from '../i18n/areas.ts'
import { createStore } from '../state/store.ts'
import { type HistoryState, hrefOf, type Location, readLocation, type Target } from './location.ts'
import { type Params, RouteMatcher } from './match.ts'

/** A route of the application. */
export interface Route {
  /** `$name` matches one segment, `{-$name}` an optional one, a final `$` the rest. */
  readonly path: string
  readonly title?: MessageKey
  /** Decides whether the screen may be shown: throws a `Redirect`, or an error to show instead. */
  readonly check?: (location: Location) => Promise<void> | void
  /** Loads what the screen needs. */
  readonly load?: () => Promise<void>
  readonly Screen: ComponentType
}

/** Thrown by a check: replaces the current history entry with another URL. */
export class Redirect extends Error {
  override readonly name = 'Redirect'
  readonly target: Target

  constructor(target: Target) {
    super('Navigated to another location')
    this.target = target
  }
}

/** A navigation; without `search` and `hash`, the new URL has none. */
export interface Navigation extends Target {
  /** Replaces the current history entry. */
  replace?: boolean
  /** State of the history entry, invisible in the URL. */
  state?: HistoryState | ((current: HistoryState) => HistoryState)
  /** False keeps the scroll position. */
  resetScroll?: boolean
  /** Skips blockers for unsaved changes. */
  ignoreBlocker?: boolean
}

/** The current screen. */
export interface Shown<R> {
  readonly location: Location
  /** Undefined: not found. */
  readonly route: R | undefined
  readonly params: Params
  /** Why the route can't be shown. */
  readonly failure?: unknown
  readonly resetScroll: boolean
}

export interface RouterOptions<R> {
  routes: readonly R[]
  /** Base path of the application; `''` for none. */
  base?: string
  history?: RouterHistory
  /** Called when another location than the first is shown. */
  onArrive?: () => void
}

/**
 * Follows the URL: checks the route, loads its screen, then shows it. A later navigation supersedes earlier
 * ones.
 */
export class Router<R extends Route = Route> {
  readonly history: RouterHistory
  /** Undefined until the first screen is loaded. */
  readonly shown = createStore<Shown<R> | undefined>(undefined)
  /** Whether a screen is loading. */
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

  /** The current location, which may not be shown yet. */
  get location(): Location {
    return this.read(this.history.location)
  }

  /** Starts with the current location; returns the function to stop. */
  start(): () => void {
    const follow = () => {
      this.#arrival = this.#follow()
    }
    follow()
    return this.history.subscribe(follow)
  }

  /** Parses a history location, such as a requested one. */
  read(location: HistoryLocation): Location {
    return readLocation(location, this.#base)
  }

  /** Returns the href of a target, with the base path. */
  hrefOf(target: Target): string {
    return this.#base + hrefOf(target, this.location.pathname)
  }

  /** Called by the view once it has rendered. */
  arrive({ location: { href } }: Shown<unknown>): void {
    // an error raised before the first screen must stay
    if (this.#arrivedAt !== undefined && href !== this.#arrivedAt) this.#onArrive()
    this.#arrivedAt = href
  }

  /** Navigates; resolves once the location is shown or the navigation was superseded. */
  async navigate({ replace = false, state = {}, resetScroll = true, ignoreBlocker, ...target }: Navigation) {
    const { location } = this
    const kept = typeof state === 'function' ? state(location.state) : state
    this.#resetScroll = resetScroll
    const before = this.#arrival
    this.history[replace ? 'replace' : 'push'](this.hrefOf(target), kept, { ignoreBlocker })
    // the history asks blockers first and notifies once they agree
    await Promise.resolve()
    if (this.#arrival !== before) await this.#arrival
  }

  /** Rechecks the current location. */
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
