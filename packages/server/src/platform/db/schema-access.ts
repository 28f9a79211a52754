import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { ColumnType } from 'kysely'
import type { Created } from './column-types.ts'

export interface AppPasswordTable {
  id: ColumnType<string, string, never>
  user_id: ColumnType<number, number, never>
  name: string
  scopes: ColumnType<AppPasswordScope[], AppPasswordScope[], never>
  /** See app-passwords/secret.ts. */
  secret_hash: ColumnType<Buffer, Buffer, never>
  created_at: Created
  /** Null: never. */
  expires_at: ColumnType<Date | null, Date | null, never>
  last_used_at: ColumnType<Date | null, null | undefined, Date>
  last_used_ip: ColumnType<string | null, null | undefined, string>
  last_used_service: ColumnType<AppPasswordScope | null, null | undefined, AppPasswordScope>
}

/** What a user has signed in from; see sessions/sign-in-device.ts. */
export interface SignInDeviceTable {
  user_id: number
  device: Buffer
  seen_at: Date
}
