import type { ApproveAnswer } from '@gatehouse/contract/sessions/oauth'
import { call } from '../../platform/api/api.ts'
import type { Routes } from '../../platform/api/http.ts'

type Input = NonNullable<Routes['POST /api/oauth/approve']['body']>

/** Parameters of an authorization request that are sent to the server. */
const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'request',
  'request_uri',
  'ticket',
] as const satisfies readonly (keyof Input)[]

/** Submits the request in the URL; without `ifSeen`, the user has just consented. */
export function approve(search: string, ifSeen: boolean): Promise<ApproveAnswer> {
  const query = new URLSearchParams(search)
  const given = parameters.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))
  // The keys are input fields by name.
  const body: Input = { ...Object.fromEntries(given), ...(ifSeen && { ifSeen: true }) }
  return call('POST /api/oauth/approve', { body, ignoreErrors: true })
}

/** Schemes that execute code instead of navigating. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])

/**
 * Redirects to the application at the URL given by the server. When answering a request, adds its state and
 * the browser's time zone. Replaces the history entry, so that "back" doesn't repeat the consent.
 */
export function leaveFor(address: string, search?: string): void {
  const url = new URL(address)
  if (dangerous.has(url.protocol)) throw new Error(`refused redirect to ${url.protocol}`)
  if (search !== undefined) {
    const state = new URLSearchParams(search).get('state')
    if (state !== null) url.searchParams.set('state', state)
    url.searchParams.set('timezone', Intl.DateTimeFormat().resolvedOptions().timeZone)
  }
  window.location.replace(url.href)
}
