import type { MadeClient } from '../oauth.ts'

/** What an application gets from the token endpoint, as its library understands it. */
export interface PartyTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly idToken: string
  /** Of the ID token, which the library has checked. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A login that was begun: where the browser goes, and what the application does with what comes back. */
export interface PartyLogin {
  readonly address: URL
  finish(answer: PartyAnswer): Promise<PartyTokens>
}

/** What the browser brought to the application: an address, or the fields of a form. */
export type PartyAnswer = URL | { readonly action: string; readonly fields: Readonly<Record<string, string>> }

/** An application as its author would write it with a library of others. */
export interface Party {
  /** Begins a login with code and PKCE. */
  login(parameters?: Readonly<Record<string, string>>): Promise<PartyLogin>
  refresh(tokens: PartyTokens): Promise<PartyTokens>
  userInfo(tokens: PartyTokens): Promise<Readonly<Record<string, unknown>>>
  revoke(token: string): Promise<void>
  /** The address that ends the session of the portal, as the library makes it. */
  signOut(idToken: string, returnTo: string, state: string): Promise<URL>
}

/** The same for libraries that know devices and introspection too. */
export interface FullParty extends Party {
  introspect(token: string): Promise<Readonly<Record<string, unknown>>>
  /** Asks for a device code; `tokens` asks once whether somebody has decided, and fails with the error of the server. */
  device(scope: string): Promise<{ readonly userCode: string; tokens(): Promise<PartyTokens> }>
}

/** How an application proves who it is. */
export type PartyProof = 'basic' | 'post' | 'none'

export interface PartyWishes {
  readonly issuer: string
  readonly client: MadeClient
  readonly proof: PartyProof
}

/** The fields of an answer, however it came. */
export function answerFields(answer: PartyAnswer): URLSearchParams {
  return answer instanceof URL ? answer.searchParams : new URLSearchParams(answer.fields)
}
