import { useState } from 'react'
import { withoutSecrets } from './kept-forms.ts'

/**
 * Data a tab keeps across reloads, as when a phone returns from the mail with the code. Uses session
 * storage, which ends with the tab. Never contains passwords.
 */
const prefix = 'draft.'

export function readDraft(key: string): unknown {
  const text = sessionStorage.getItem(prefix + key)
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeDraft(key: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(prefix + key)
  else sessionStorage.setItem(prefix + key, JSON.stringify(value))
}

/** Stores the values of a form, except secrets. */
export function draftForm(key: string, values: object): void {
  writeDraft(key, withoutSecrets({ ...values }))
}

/** Returns stored values, as far as the form has them. */
export function draftedForm<V extends object>(key: string, initial: V): V {
  const draft = readDraft(key)
  if (typeof draft !== 'object' || draft === null) return initial
  const known = Object.entries(draft).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name as keyof V],
  )
  return { ...initial, ...Object.fromEntries(known) }
}

/** Removes all drafts whose key starts like this, once done or abandoned. */
export function dropDrafts(start: string): void {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix + start))
  for (const key of keys) sessionStorage.removeItem(key)
}

/** State that survives a reload of its tab. */
export function useTabState<T>(key: string): [T | undefined, (value: T | undefined) => void] {
  // only written by us
  const [value, setValue] = useState(() => readDraft(key) as T | undefined)
  const change = (next: T | undefined) => {
    writeDraft(key, next)
    setValue(next)
  }
  return [value, change]
}
