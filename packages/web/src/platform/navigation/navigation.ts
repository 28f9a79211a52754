/** The router API for session and guards, without importing the router. */
export interface Navigator {
  go(path: string): void
  /** The same without asking about unsaved changes, which was decided elsewhere. */
  leaveFor(path: string): void
  /** Reruns the guards of the current route. */
  recheck(): void
  /** Returns path and query of the current route, without the base path. */
  location(): string
  /** Whether the current route requires sign-in. */
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

/** Returns the router API. */
export function navigation(): Navigator {
  return navigator
}

/** Stores the requested location until the user has signed in. */
export function rememberTarget(location: string): void {
  sessionStorage.setItem(targetKey, location)
}

/** Returns the stored target and clears it. */
export function takeTarget(): string | undefined {
  const target = sessionStorage.getItem(targetKey)
  sessionStorage.removeItem(targetKey)
  // Only paths of ours: two slashes would name another host, and browsers treat a backslash like one.
  return target && /^\/(?![/\\])/.test(target) ? target : undefined
}

const authorizePath = '/oauth/authorize?'

/** The user an application expects to sign in (`login_hint`); empty if it names none. */
export function expectedLogin(): string {
  const target = sessionStorage.getItem(targetKey)
  if (!target?.startsWith(authorizePath)) return ''
  return new URLSearchParams(target.slice(authorizePath.length)).get('login_hint')?.slice(0, 191) ?? ''
}
