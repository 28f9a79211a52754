import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import type { DnsRecordKind } from '@gatehouse/contract/directory/domains'
import type { MailKind } from '@gatehouse/contract/directory/kinds'
import type { FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { ColumnType } from 'kysely'
import type { Computed, Json, JsonOrNull, Later, Once } from './column-types.ts'
import type { Tables } from './tables.ts'

/** Values found in the DNS by kind of record, of a domain's own DKIM keys by selector; null: no answer. */
export type DnsFound = Partial<Record<DnsRecordKind | `dkim:${string}`, string[] | null>>

/** Text by language, as in catalogues and plans. */
export type Localised = Record<string, string>

/** What the sender declared about an upload. */
export interface UploadFacts {
  readonly mimetype?: string
  /** Unix seconds. */
  readonly mtime?: number
  /** Hexadecimal. */
  readonly sha256?: string
  readonly conflict?: 'keep' | 'rename' | 'fail' | 'replace'
  readonly properties?: Readonly<Record<string, string>>
  /** An existing item of the owner that is used instead of a new one. */
  readonly reuse?: string
  /** Content that must be current, otherwise there was a concurrent change. */
  readonly ifMatch?: string
  readonly actor: { readonly userId?: number; readonly email?: string; readonly ip?: string }
}

/** What was sent in a minute or an hour. */
export interface SentBucket {
  /** Seconds since 1970. */
  readonly start: number
  readonly messages: number
  readonly recipients: number
}

/** A text of the catalogues as stored in the database. */
interface StoredMessage {
  key: string
  params?: Record<string, string | number>
}

/** Who started a batch. */
interface BatchActor {
  userId: number
  email: string
  ip: string
  key?: { name: string; isAccount: boolean }
}

/** Columns the schema doesn't describe fully: the content of JSON, and when code may write. */
export interface Overrides {
  accessTokens: { impersonationId: Once<string | null> }
  addresses: { domain: Computed<string> }
  accountSending: { minutes: Json<SentBucket[]>; hours: Json<SentBucket[]> }
  appPasswords: {
    id: Once<string>
    userId: Once<number>
    scopes: Once<AppPasswordScope[]>
    secretHash: Once<Buffer>
    expiresAt: Once<Date | null>
    lastUsedAt: Later<Date>
    lastUsedIp: Later<string>
    lastUsedService: Later<AppPasswordScope>
  }
  batches: {
    actor: ColumnType<BatchActor | null, string | null, string>
    params: Json<Record<string, unknown>>
    price: JsonOrNull<Record<string, unknown>>
  }
  batchRows: {
    input: ColumnType<Record<string, unknown>, string, never>
    message: JsonOrNull<StoredMessage>
  }
  delegations: { options: Json<DelegationOptions> }
  directoryObjects: { members: Computed<number> }
  discounts: { description: Json<Localised> }
  domains: { dnsFound: ColumnType<DnsFound, string | undefined, string> }
  eventLog: { data: JsonOrNull<Record<string, unknown>>; staffId: Once<number | null> }
  exchangeRates: { day: Once<string> }
  fsUploads: { facts: Json<UploadFacts> }
  installationKeys: { createdAt: Computed<Date> }
  ledgerEntries: {
    number: Computed<number>
    balance: Computed<number>
    currency: Computed<string>
    hash: Computed<Buffer>
  }
  mailDecisions: { facts: Json<Record<string, unknown>> }
  mailFilters: {
    rules: Json<FilterRule[]>
    outOfOffice: Json<OutOfOffice>
  }
  meetingHosts: { startedAt: Once<Date> }
  oauthLiveGrants: { idHash: Buffer; handle: string; userId: number; clientId: string; expiresAt: Date }
  oauthRecords: { payload: Json<Record<string, unknown>> }
  oneOffRequests: {
    decidedBy: Later<number | null>
    deciderEmail: Later<string | null>
    comment: Later<string | null>
    decidedAt: Later<Date>
  }
  packages: { name: Json<Localised>; description: Json<Localised> }
  paymentAlarms: {
    kind: 'unknown-payment' | 'mismatch' | 'over-reversed' | 'lost' | 'closed-account'
    facts: ColumnType<unknown, string, never>
  }
  plans: { name: Json<Localised>; description: Json<Localised> }
  priceChanges: {
    reason: ColumnType<Localised, string, never>
    announcedAt: Later<Date>
    appliedAt: Later<Date>
    cancelledAt: Later<Date>
    cancellerEmail: Later<string | null>
    cancelToldAt: Later<Date>
  }
  priceChangeWallets: { prices: ColumnType<{ from: number; to: number; units: number }[], never, never> }
  provisioningNames: { kind: MailKind }
  receipts: { facts: ColumnType<unknown, string, never>; issuedAt: Once<Date> }
  referralPrograms: { name: Json<Localised>; description: Json<Localised> }
  refreshTokens: { successor: Later<Buffer | null> }
  sessions: { impersonationId: Once<string | null> }
  skus: { name: Json<Localised>; description: Json<Localised> }
  tenantNames: {
    checkedAt: Later<Date>
    failure: Later<Tables['tenantNames']['failure']>
  }
  tenants: { settings: Json<Record<string, string>> }
  userSending: {
    minutes: Json<SentBucket[]>
    hours: Json<SentBucket[]>
    strangers: Json<SentBucket[]>
    rejections: Json<SentBucket[]>
    warned: Json<Record<string, number>>
  }
  users: { forgottenAt: Later<Date> }
  vatRates: { startsOn: Once<string> }
  wallets: { balance: Computed<number> }
}

/** The database's tables and views with their read and write types. */
export type Schema = {
  [Table in keyof Tables]: Table extends keyof Overrides
    ? Overridden<Tables[Table], Overrides[Table]>
    : Tables[Table]
}

type Overridden<Columns, Changed> = {
  [Column in keyof Columns]: Column extends keyof Changed ? Changed[Column] : Columns[Column]
}
