import type { ApproveAnswer } from '@gatehouse/contract/sessions/oauth'
import { call } from '../../platform/api/api.ts'
import type { Routes } from '../../platform/api/http.ts'

type Input = NonNullable<Routes['POST /api/oauth/approve']['body']>

/** What of an authorization request the server wants to know. */
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

/** Asks the server about the request in the address; without `ifSeen` the person has just allowed it. */
export function approve(search: string, ifSeen: boolean): Promise<ApproveAnswer> {
  const query = new URLSearchParams(search)
  const given = parameters.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))
  // Keys of the input by name.
  const body: Input = { ...Object.fromEntries(given), ...(ifSeen && { ifSeen: true }) }
  return call('POST /api/oauth/approve', { body, ignoreErrors: true })
}

/** Schemes that run something instead of leading somewhere. */
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])

/**
 * Goes back to the application, to the address that the server gave; with the request that it answers, the state and the
 * time zone of this browser go along. This page is left for good: with "back" nobody consents a second time.
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
