import { type ChosenScheme, isChosenScheme, schemeCookie } from '@gatehouse/contract/color-scheme'
import { hostCookie } from '@gatehouse/contract/host-cookie'
import { createStore } from '../state/store.ts'

export type Scheme = ChosenScheme
export type SchemeChoice = Scheme | 'system'

const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
/** Notifies the other tabs. */
const channel = new BroadcastChannel(schemeCookie.name)

/** The user's choice. The server has written it from the cookie into the page, before first paint. */
export const schemeChoice = createStore<SchemeChoice>(toChoice(document.documentElement.dataset.theme))

/** The effective scheme. */
export const scheme = createStore<Scheme>(resolve())

/** Applies the colour scheme and follows the system, the user's choice and other tabs. */
export function startColorScheme(): void {
  systemDark.addEventListener('change', apply)
  schemeChoice.subscribe(apply)
  channel.addEventListener('message', ({ data }) => schemeChoice.set(toChoice(data)))
}

/** Changes the colour scheme and remembers the choice for ten years. */
export function chooseScheme(choice: SchemeChoice): void {
  const isSecure = window.location.protocol === 'https:'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = schemeCookieText(choice, isSecure)
  // a cookie of an earlier version under the plain name would take effect again after a reset
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  if (isSecure) document.cookie = schemeCookieText('system', false)
  schemeChoice.set(choice)
  channel.postMessage(choice)
}

/** Returns the cookie that stores the choice; the system setting isn't stored. */
export function schemeCookieText(choice: SchemeChoice, secure: boolean): string {
  const { name, maxAge } = schemeCookie
  const [value, age] = choice === 'system' ? ['', 0] : [choice, maxAge]
  return `${hostCookie(name, secure)}=${value}; max-age=${age}; path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}

function toChoice(value: unknown): SchemeChoice {
  return isChosenScheme(value) ? value : 'system'
}

function resolve(): Scheme {
  const choice = schemeChoice.get()
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

function apply(): void {
  scheme.set(resolve())
  const choice = schemeChoice.get()
  const { dataset } = document.documentElement
  if (choice === 'system') delete dataset.theme
  else dataset.theme = choice
  // for native controls, and for the next page before its style sheet is loaded
  document.querySelector('meta[name="color-scheme"]')?.setAttribute('content', metaContent(choice))
}

function metaContent(choice: SchemeChoice): string {
  return choice === 'system' ? 'light dark' : choice
}
