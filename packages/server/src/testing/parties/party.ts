import type { MadeClient } from '../oauth.ts'

/** A token response as the library parses it. */
export interface PartyTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly idToken: string
  /** Claims of the ID token, validated by the library. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A started login: where the browser goes, and how the application handles the response. */
export interface PartyLogin {
  readonly address: URL
  finish(answer: PartyAnswer): Promise<PartyTokens>
}

/** The authorization response in the browser: a URL, or the fields of a form. */
export type PartyAnswer = URL | { readonly action: string; readonly fields: Readonly<Record<string, string>> }

/** An application as its author would write it with a third-party library. */
export interface Party {
  /** Starts a login with code and PKCE. */
  login(parameters?: Readonly<Record<string, string>>): Promise<PartyLogin>
  refresh(tokens: PartyTokens): Promise<PartyTokens>
  userInfo(tokens: PartyTokens): Promise<Readonly<Record<string, unknown>>>
  revoke(token: string): Promise<void>
  /** Returns the URL that ends the portal session, as built by the library. */
  signOut(idToken: string, returnTo: string, state: string): Promise<URL>
}

/** The same for libraries that also support devices and introspection. */
export interface FullParty extends Party {
  introspect(token: string): Promise<Readonly<Record<string, unknown>>>
  /** Requests a device code; `tokens` polls once for a decision, and fails with the server's error. */
  device(scope: string): Promise<{ readonly userCode: string; tokens(): Promise<PartyTokens> }>
}

/** How an application authenticates. */
export type PartyProof = 'basic' | 'post' | 'none'

export interface PartyWishes {
  readonly issuer: string
  readonly client: MadeClient
  readonly proof: PartyProof
}

/** Returns the fields of a response, regardless of its mode. */
export function answerFields(answer: PartyAnswer): URLSearchParams {
  return answer instanceof URL ? answer.searchParams : new URLSearchParams(answer.fields)
}
