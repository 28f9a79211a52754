import { t } from '../../i18n/i18n.ts'
import { toasts } from '../toasts/store.ts'

type Values = Readonly<Record<string, unknown>>

interface Kept {
  owner: number
  path: string
  forms: Readonly<Record<string, Values>>
}

/** Storage key for the reload of the sign-in page. */
const place = 'kept-forms'

/** Forms on screen, each with a function that returns its changes. */
const open = new Map<string, () => Values>()

/** The complete data, until the page is reloaded. */
let kept: Kept | undefined

/** Tracks a form while it is on screen. */
export function trackForm(name: string, changes: () => Values): () => void {
  open.set(name, changes)
  return () => {
    if (open.get(name) === changes) open.delete(name)
  }
}

/**
 * Keeps the input on screen while the session is over, except secrets: in memory, and serializable values in
 * session storage. The latter is cleared with the tab, on sign-out, and when another user signs in.
 */
export function keepForms(owner: number): void {
  const forms = [...open].map(([name, changes]) => [name, withoutSecrets(changes())] as const)
  const typed = forms.filter(([, values]) => Object.keys(values).length > 0)
  if (typed.length > 0) keep({ owner, path: window.location.pathname, forms: Object.fromEntries(typed) })
}

/** Clears the kept input, unless it belongs to this user. */
export function dropForms(unless?: number): void {
  if (current()?.owner !== unless) keep(undefined)
}

/** Returns the kept input of a form when it is reopened, once. */
export function takeKeptForm(name: string): Values | undefined {
  const found = current()
  if (found === undefined || found.path !== window.location.pathname) return undefined
  const { [name]: values, ...forms } = found.forms
  if (values === undefined) return undefined
  keep({ ...found, forms })
  toasts.info(t('session.formKept'))
  return values
}

function current(): Kept | undefined {
  kept ??= readStored()
  return kept
}

function keep(next: Kept | undefined): void {
  kept = next
  if (next === undefined || Object.keys(next.forms).length === 0) sessionStorage.removeItem(place)
  else {
    const forms = Object.entries(next.forms).map(([name, values]) => [name, storable(values)])
    sessionStorage.setItem(place, JSON.stringify({ ...next, forms: Object.fromEntries(forms) }))
  }
}

function readStored(): Kept | undefined {
  const text = sessionStorage.getItem(place)
  try {
    // only written by us
    return text === null ? undefined : (JSON.parse(text) as Kept)
  } catch {
    return undefined
  }
}

/** Returns the values that survive serialization and contain no secret at any depth. */
function storable(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isStorable(value)))
}

function isStorable(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isStorable)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([key, inner]) => !secret.test(key) && isStorable(inner))
}

/** Removes secrets and files, which can't be kept. */
export function withoutSecrets(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !secret.test(key) && !(value instanceof Blob)),
  )
}

const secret = /password|secret|factor|passkey|^code$/i
