import type { ColumnType } from 'kysely'
import type { Created } from './column-types.ts'

/** Applications that may ask people for their consent. */
export interface OAuthClientTable {
  id: string
  name: string
  /** Null: the application cannot keep a secret. */
  secret_hash: Buffer | null
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  scopes: string[]
  grants: string[]
  id_token_alg: 'RS256' | 'ES256'
  /** Requests without PKCE are refused; always true without a secret. */
  require_pkce: boolean
  /** Which one it is of those that the settings make; null: none. */
  built_in: string | null
  disabled_at: Date | null
  created_at: Created
  updated_at: Date
}

/** What people have allowed applications; a row for each set of scopes. */
export interface OAuthConsentTable {
  user_id: number
  client_id: string
  /** Sorted. */
  scopes: string[]
  created_at: Created
  approved_at: Date
}

/** Codes, tokens and grants. What opens something is kept as its hash only. */
export interface OAuthRecordTable {
  model: string
  id_hash: Buffer
  /** How lists name it. */
  handle: string
  grant_hash: Buffer | null
  user_code_hash: Buffer | null
  user_id: number | null
  client_id: string | null
  /** Facts as the library keeps them, without the id. */
  payload: ColumnType<Record<string, unknown>, string, string>
  consumed_at: Date | null
  expires_at: Date
  created_at: Created
  /** Of a grant: who really uses it, when that is not the user; null: it is. */
  actor_id: ColumnType<number | null, number | null | undefined, number | null>
  /** The session of that one in which it was begun; the grant ends with it. */
  session_id: ColumnType<string | null, string | null | undefined, string | null>
}

/** Grants without those that somebody else borrowed in a session that is over. They may have expired. */
export interface OAuthLiveGrantView {
  id_hash: Buffer
  handle: string
  user_id: number
  client_id: string
  expires_at: Date
  actor_id: number | null
  actor_email: string | null
}

/** Keys that sign ID tokens; the private part is sealed. */
export interface OAuthKeyTable {
  kid: string
  alg: 'RS256' | 'ES256'
  sealed: Buffer
  created_at: Created
  /** It is published before it signs, so that who keeps a copy of the keys has it in time. */
  signs_from: Date
  /** From then on it signs no more; null: no other one follows as yet. */
  retired_at: Date | null
  /** Published until then; null: no other one follows as yet. */
  expires_at: Date | null
}
