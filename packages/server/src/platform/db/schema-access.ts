import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { ColumnType } from 'kysely'
import type { Created } from './column-types.ts'

export interface AppPasswordTable {
  id: ColumnType<string, string, never>
  userId: ColumnType<number, number, never>
  name: string
  scopes: ColumnType<AppPasswordScope[], AppPasswordScope[], never>
  /** See app-passwords/secret.ts. */
  secretHash: ColumnType<Buffer, Buffer, never>
  createdAt: Created
  /** Null: never. */
  expiresAt: ColumnType<Date | null, Date | null, never>
  lastUsedAt: ColumnType<Date | null, null | undefined, Date>
  lastUsedIp: ColumnType<string | null, null | undefined, string>
  lastUsedService: ColumnType<AppPasswordScope | null, null | undefined, AppPasswordScope>
}

/** What a user has signed in from; see sessions/sign-in-device.ts. */
export interface SignInDeviceTable {
  userId: number
  device: Buffer
  seenAt: Date
}
