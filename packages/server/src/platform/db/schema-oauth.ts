import type { ColumnType } from 'kysely'
import type { Created } from './column-types.ts'

/** Applications that may ask people for their consent. */
export interface OAuthClientTable {
  id: string
  name: string
  /** Null: the application cannot keep a secret. */
  secretHash: Buffer | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  scopes: string[]
  grants: string[]
  idTokenAlg: 'RS256' | 'ES256'
  /** Requests without PKCE are refused; always true without a secret. */
  requirePkce: boolean
  /** Which one it is of those that the settings make; null: none. */
  builtIn: string | null
  disabledAt: Date | null
  createdAt: Created
  updatedAt: Date
}

/** What people have allowed applications; a row for each set of scopes. */
export interface OAuthConsentTable {
  userId: number
  clientId: string
  /** Sorted. */
  scopes: string[]
  createdAt: Created
  approvedAt: Date
}

/** Codes, tokens and grants. What opens something is kept as its hash only. */
export interface OAuthRecordTable {
  model: string
  idHash: Buffer
  /** How lists name it. */
  handle: string
  grantHash: Buffer | null
  userCodeHash: Buffer | null
  userId: number | null
  clientId: string | null
  /** Facts as the library keeps them, without the id. */
  payload: ColumnType<Record<string, unknown>, string, string>
  consumedAt: Date | null
  expiresAt: Date
  createdAt: Created
  /** Of a grant: who really uses it, when that is not the user; null: it is. */
  actorId: ColumnType<number | null, number | null | undefined, number | null>
  /** The session of that one in which it was begun; the grant ends with it. */
  sessionId: ColumnType<string | null, string | null | undefined, string | null>
}

/** Grants without those that somebody else borrowed in a session that is over. They may have expired. */
export interface OAuthLiveGrantView {
  idHash: Buffer
  handle: string
  userId: number
  clientId: string
  expiresAt: Date
  actorId: number | null
  actorEmail: string | null
}

/** Keys that sign ID tokens; the private part is sealed. */
export interface OAuthKeyTable {
  kid: string
  alg: 'RS256' | 'ES256'
  sealed: Buffer
  createdAt: Created
  /** It is published before it signs, so that who keeps a copy of the keys has it in time. */
  signsFrom: Date
  /** From then on it signs no more; null: no other one follows as yet. */
  retiredAt: Date | null
  /** Published until then; null: no other one follows as yet. */
  expiresAt: Date | null
}
