import { createStore } from './store.ts'

export type SchemeChoice = 'light' | 'dark' | 'system'
export type Scheme = 'light' | 'dark'

const key = 'color-scheme'
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

function readChoice(): SchemeChoice {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** What the visitor has chosen. */
export const schemeChoice = createStore<SchemeChoice>(readChoice())

/** What is on screen. */
export const scheme = createStore<Scheme>(resolve())

/** Applies the colour scheme and follows the system, the switch and other tabs. */
export function startColorScheme(): void {
  apply()
  systemDark.addEventListener('change', apply)
  schemeChoice.subscribe(apply)
  window.addEventListener('storage', (event) => {
    if (event.key === key) schemeChoice.set(readChoice())
  })
}

export function chooseScheme(choice: SchemeChoice): void {
  if (choice === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  schemeChoice.set(choice)
}

function resolve(): Scheme {
  const choice = schemeChoice.get()
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

function apply(): void {
  scheme.set(resolve())
  document.documentElement.dataset.theme = scheme.get()
}
