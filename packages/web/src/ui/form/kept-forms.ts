import { t } from '../../i18n/i18n.ts'
import { toasts } from '../toasts/store.ts'

type Values = Readonly<Record<string, unknown>>

interface Kept {
  owner: number
  path: string
  forms: Map<string, Values>
}

/** Forms on the screen, each with a way to read what was changed in it. */
const open = new Map<string, () => Values>()

let kept: Kept | undefined

/** Knows of a form for as long as it is on the screen. */
export function trackForm(name: string, changes: () => Values): () => void {
  open.set(name, changes)
  return () => {
    if (open.get(name) === changes) open.delete(name)
  }
}

/**
 * Keeps what is typed on the screen while its session is over, secrets apart. In the memory of the page only: nobody who
 * uses the machine later can read it.
 */
export function keepForms(owner: number): void {
  const forms = [...open].map(([name, changes]) => [name, withoutSecrets(changes())] as const)
  const typed = forms.filter(([, values]) => Object.keys(values).length > 0)
  if (typed.length > 0) kept = { owner, path: window.location.pathname, forms: new Map(typed) }
}

/** Forgets what is kept, unless it is that person's own. */
export function dropForms(unless?: number): void {
  if (kept?.owner !== unless) kept = undefined
}

/** What was kept of a form that is opened again at its place, once. */
export function takeKeptForm(name: string): Values | undefined {
  if (kept === undefined || kept.path !== window.location.pathname) return undefined
  const values = kept.forms.get(name)
  if (values === undefined) return undefined
  kept.forms.delete(name)
  toasts.info(t('session.formKept'))
  return values
}

/** Values without those that nobody else should see; a file cannot be kept either. */
export function withoutSecrets(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !secret.test(key) && !(value instanceof Blob)),
  )
}

const secret = /password|secret|factor|passkey|^code$/i
