import { t } from '../../i18n/i18n.ts'
import { toasts } from '../toasts/store.ts'

type Values = Readonly<Record<string, unknown>>

interface Kept {
  owner: number
  path: string
  forms: Readonly<Record<string, Values>>
}

/** Where the tab keeps it over a reload of the sign-in page. */
const place = 'kept-forms'

/** Forms on the screen, each with a way to read what was changed in it. */
const open = new Map<string, () => Values>()

/** All of it, for as long as the page is not loaded again. */
let kept: Kept | undefined

/** Knows of a form for as long as it is on the screen. */
export function trackForm(name: string, changes: () => Values): () => void {
  open.set(name, changes)
  return () => {
    if (open.get(name) === changes) open.delete(name)
  }
}

/**
 * Keeps what is typed on the screen while its session is over, secrets apart. It lies in the memory of the page, and in the
 * storage of the tab as far as it is text: that ends with the tab, with a sign-out, and when somebody else signs in.
 */
export function keepForms(owner: number): void {
  const forms = [...open].map(([name, changes]) => [name, withoutSecrets(changes())] as const)
  const typed = forms.filter(([, values]) => Object.keys(values).length > 0)
  if (typed.length > 0) keep({ owner, path: window.location.pathname, forms: Object.fromEntries(typed) })
}

/** Forgets what is kept, unless it is that person's own. */
export function dropForms(unless?: number): void {
  if (current()?.owner !== unless) keep(undefined)
}

/** What was kept of a form that is opened again at its place, once. */
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
    // nobody else writes there
    return text === null ? undefined : (JSON.parse(text) as Kept)
  } catch {
    return undefined
  }
}

/** Values that are the same when they are read again, and hold no secret at any depth. */
function storable(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isStorable(value)))
}

function isStorable(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isStorable)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([key, inner]) => !secret.test(key) && isStorable(inner))
}

/** Values without those that nobody else should see; a file cannot be kept either. */
export function withoutSecrets(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !secret.test(key) && !(value instanceof Blob)),
  )
}

const secret = /password|secret|factor|passkey|^code$/i
