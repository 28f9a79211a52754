/** What the session and the guards need of the router, without importing it. */
export interface Navigator {
  go(path: string): void
  /** The same, and what is unsaved on the screen is not asked about: it was decided elsewhere. */
  leaveFor(path: string): void
  /** Runs the guards of the current route again. */
  recheck(): void
  /** Path and query of the current route, without the base path. */
  location(): string
  /** Whether the current route is for signed-in people only. */
  needsLogin(): boolean
}

const targetKey = 'target'

let navigator: Navigator = {
  go: () => {},
  leaveFor: () => {},
  recheck: () => {},
  location: () => '/',
  needsLogin: () => false,
}

export function setNavigator(next: Navigator): void {
  navigator = next
}

/** The router, as far as others need it. */
export function navigation(): Navigator {
  return navigator
}

/** Keeps where a person wanted to go until they have signed in. */
export function rememberTarget(location: string): void {
  sessionStorage.setItem(targetKey, location)
}

/** The remembered target; it is forgotten by reading it. */
export function takeTarget(): string | undefined {
  const target = sessionStorage.getItem(targetKey)
  sessionStorage.removeItem(targetKey)
  // Only a path of ours: two slashes would name another host, and browsers read a backslash as one.
  return target && /^\/(?![/\\])/.test(target) ? target : undefined
}

const authorizePath = '/oauth/authorize?'

/** Whom an application, which sent somebody here to sign in, expects (`login_hint`); empty: it does not say. */
export function expectedLogin(): string {
  const target = sessionStorage.getItem(targetKey)
  if (!target?.startsWith(authorizePath)) return ''
  return new URLSearchParams(target.slice(authorizePath.length)).get('login_hint')?.slice(0, 191) ?? ''
}
