import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import type { DnsRecordKind } from '@gatehouse/contract/directory/domains'
import type { DirectoryKind, Kind } from '@gatehouse/contract/directory/kinds'
import type { ColumnType, Generated } from 'kysely'
import type { Created } from './column-types.ts'
import type { AppPasswordTable, SignInDeviceTable } from './schema-access.ts'
import type {
  BilledPeriodTable,
  ExchangeRateTable,
  LedgerEntryTable,
  LedgerPostingTable,
  MandateSetupTable,
  PaymentAlarmTable,
  PaymentCustomerTable,
  PaymentTable,
  ReceiptNumberTable,
  ReceiptTable,
  SandboxMandateTable,
  SandboxPaymentTable,
  SandboxReversalTable,
  VatRateTable,
  WalletAlertTable,
  WalletChargingTable,
  WalletDebtTable,
  WalletMandateTable,
  WalletSettingTable,
} from './schema-billing.ts'
import type {
  AuthAttemptTable,
  CompanionPairingTable,
  CompanionTable,
  SignInPromptTable,
} from './schema-companions.ts'
import type {
  DirectoryObjectTable,
  FolderAclTable,
  GroupMemberTable,
  ProvisioningNameTable,
  ProvisioningTable,
} from './schema-directory.ts'
import type { PasskeyChallengeTable, PasskeyTable, RecoveryCodeTable } from './schema-factors.ts'
import type {
  FileChunkTable,
  FileContentTable,
  FileItemTable,
  FileKeyTable,
  FileLinkTable,
  FilePropertyTable,
  FileRelationTable,
  FileShareTable,
  FileThumbnailTable,
  FileTicketTable,
  FileUploadTable,
  FileUsageTable,
  FileVersionTable,
} from './schema-files.ts'
import type {
  CountryDatabaseTable,
  InstallationFactTable,
  InstallationKeyTable,
} from './schema-installation.ts'
import type { MailPassTable } from './schema-mail.ts'
import type {
  MeetingBlockTable,
  MeetingHostTable,
  MeetingKnockTable,
  MeetingMessageTable,
  MeetingPeerTable,
  MeetingTable,
  RoomPermissionTable,
  RoomTable,
} from './schema-meet.ts'
import type {
  OAuthClientTable,
  OAuthConsentTable,
  OAuthKeyTable,
  OAuthLiveGrantView,
  OAuthRecordTable,
} from './schema-oauth.ts'
import type {
  PriceChangeStepTable,
  PriceChangeTable,
  PriceChangeUnitTable,
  PriceChangeWalletTable,
} from './schema-prices.ts'
import type {
  DiscountTable,
  ReferralCodeTable,
  ReferralProgramTable,
  ReferralTable,
  SignupCodeTable,
  SignupInvitationTable,
  SignupTokenTable,
} from './schema-signup.ts'
import type { ImpersonationTable, MailLogTable, OneOffRequestTable } from './schema-staff.ts'
import type { DailyStatTable, TenantLimitTable } from './schema-stats.ts'
import type { PublicDomainClaimTable, TenantNameTable, TenantTable } from './schema-tenants.ts'

/** Values that were found in the DNS by kind of record; null: the servers did not answer. */
export type DnsFound = Partial<Record<DnsRecordKind, string[] | null>>

/** Text by language, as catalogues and plans carry it. */
export type Localised = Record<string, string>

/** What an address belongs to. */
export type AddressKind = 'user' | 'alias' | DirectoryKind | 'folder-alias'

export interface AddressTable {
  /** Lower case; the one place where an address is taken, whatever it belongs to. */
  address: string
  kind: AddressKind
  object_id: number
  tenant_id: number
  /** What stands after the "@"; made by the database. */
  domain: ColumnType<string, never, never>
}

export interface UserTable {
  id: number
  tenant_id: number
  email: string
  password_hash: string | null
  role: 'admin' | 'reseller' | 'service' | null
  status: number
  language: string | null
  /** The wallet that the user is billed to: the account the user belongs to. */
  wallet_id: string | null
  /** Raised by the database with every change; see `users/schema.sql`. */
  revision: Generated<number>
  /** Last and first name, else the address; kept by the database. */
  sort_name: Generated<string>
  /** What a search looks through, in lower case; kept by the database, see `users/schema.sql`. */
  search_text: Generated<string>
  created_at: Created
  updated_at: Date
  deleted_at: Date | null
  /** When all that was personal of a deleted user was removed. */
  forgotten_at: ColumnType<Date | null, never, Date>
}

export interface UserSettingTable {
  user_id: number
  key: string
  value: string
}

export interface PasswordHistoryTable {
  id: string
  user_id: number
  password_hash: string
  created_at: Created
}

export interface WalletTable {
  id: string
  user_id: number
  currency: string
  /** Sum of the wallet's postings; kept by the ledger, refused to everybody else. */
  balance: ColumnType<number, never, never>
  description: string | null
  discount_id: string | null
  /** Raised by the database with every change; see `users/schema.sql`. */
  revision: Generated<number>
  created_at: Created
}

export interface WalletControllerTable {
  wallet_id: string
  user_id: number
}

export interface AccountOfferTable {
  id: string
  /** `give`: the owner confirms a hand-over; `take`: the heir accepts it. */
  kind: 'controller' | 'give' | 'take'
  wallet_id: string
  email: string
  /** Null: nobody has the address. */
  user_id: number | null
  /** Null: support staff. */
  invited_by: number | null
  /** The new owner of a hand-over. */
  heir_id: number | null
  code_hash: Buffer
  created_at: Date
  expires_at: Date
}

export interface DomainTable {
  id: number
  tenant_id: number
  namespace: string
  status: number
  type: number
  wallet_id: string | null
  /** The name in its own script. */
  display_name: string
  /** What its owner publishes to prove the ownership; the database makes a new one when the wallet changes. */
  token: string
  /** Host names, each with a leading dot, that may send for the domain whatever SPF says. */
  spf_whitelist: Generated<string[]>
  /** Values of the last look at the DNS by kind of record; null: no answer. */
  dns_found: ColumnType<DnsFound, string | undefined, string>
  dns_checked_at: Date | null
  /** When the next look in the background is due; null: none. */
  next_check_at: Date | null
  /** Since when the proof of ownership is looked for. */
  watched_since: Date | null
  /** Since when neither proof nor mail servers of ours are found for a confirmed domain. */
  missing_since: Date | null
  told_missing_at: Date | null
  /** Since when nobody can sign up in this public domain; null: they can. */
  signup_closed_at: Generated<Date | null>
  /** Raised by the database when something changes that other answers depend on; see `domains/schema.sql`. */
  revision: Generated<number>
  created_at: Created
  updated_at: Date
  deleted_at: Date | null
}

export interface SkuTable {
  id: string
  tenant_id: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  cost: number
  fee: number
  units_free: number
  period: 'monthly' | 'yearly'
  handler: string
  active: boolean
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PackageTable {
  id: string
  tenant_id: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  discount_rate: number
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PackageSkuTable {
  package_id: string
  sku_id: string
  qty: number
  /** Cents per unit and month; null: made from the SKU's cost and the package's discount. */
  cost: number | null
}

export interface PlanTable {
  id: string
  tenant_id: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  mode: 'email' | 'token' | 'mandate'
  months: number
  free_months: number
  hidden: boolean
  /** Plans are shown by this, then by months and title. */
  position: Generated<number>
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PlanPackageTable {
  plan_id: string
  package_id: string
  qty: Generated<number>
  qty_min: Generated<number>
  qty_max: Generated<number>
}

export interface EntitlementTable {
  id: string
  wallet_id: string
  sku_id: string
  object_type: Kind
  object_id: number
  /** Cents for `months` at the time of creation. */
  cost: number
  fee: number
  /** Months that `cost` is for: 1, or 12 where the SKU is paid by the year. */
  months: Generated<number>
  description: string | null
  created_at: Created
  /** Everything before this moment is charged. */
  billed_until: Date
  /** From when its months are counted, a trial's end or a settlement; null: from its creation. */
  counted_from: Generated<Date | null>
  deleted_at: Date | null
}

export interface SessionTable {
  id: string
  user_id: number
  ip: string
  /** Where it was used last; null: nowhere else. */
  last_ip: ColumnType<string | null, string | null | undefined, string | null>
  user_agent: string
  created_at: Created
  last_used_at: Date
  revoked_at: Date | null
  revoked_reason: string | null
  /** The end, however much it is used; null: none. */
  ends_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Staff are signed in as the user. */
  impersonation_id: ColumnType<string | null, string | null | undefined, never>
  /** The companion device that it belongs to. */
  companion_id: ColumnType<string | null, string | null | undefined, string | null>
  /** When its holder last proved who it is; null: nobody can, it is borrowed. */
  authenticated_at: Generated<Date | null>
}

export interface AccessTokenTable {
  hash: Buffer
  session_id: string
  user_id: number
  scopes: string[]
  expires_at: Date
  impersonation_id: ColumnType<string | null, string | null | undefined, never>
  /** As its session has it. */
  authenticated_at: Generated<Date | null>
}

export interface RefreshTokenTable {
  hash: Buffer
  session_id: string
  scopes: string[]
  expires_at: Date
  used_at: Date | null
  /** Sealed tokens that it was exchanged for, see sessions/repeated-refresh.ts. */
  successor: ColumnType<Buffer | null, null | undefined, Buffer | null>
}

export interface SecondFactorTable {
  id: string
  user_id: number
  kind: 'totp'
  label: string
  /** Sealed with the master secret. */
  secret: Buffer
  algorithm: 'SHA1' | 'SHA256' | 'SHA512'
  digits: number
  /** Seconds of one step. */
  period: number
  active: boolean
  /** The newest step that was used; no step is accepted twice. */
  last_step: number | null
  created_at: Created
  last_used_at: Generated<Date | null>
  /** When it is forgotten unless it is confirmed before; null: it was. */
  expires_at: Generated<Date | null>
}

export interface VerificationCodeTable {
  id: string
  code_hash: Buffer
  mode: 'password-reset'
  /** The user whose password may be set; unknown until the mail job has looked. */
  user_id: number | null
  /** The user who made a one-time link. */
  creator_id: number | null
  active: boolean
  attempts: Generated<number>
  created_at: Created
  expires_at: Date
  used_at: Date | null
}

export interface ThrottleTable {
  kind: string
  subject: Buffer
  /** Those in progress are among them; a part of one is left when the rest was forgotten. */
  failures: number
  /** Reservations of work in progress. */
  pending: Generated<number>
  reserved_at: Date | null
  blocked_until: Date | null
  updated_at: Date
}

export interface IdempotencyKeyTable {
  name: Buffer
  fingerprint: Buffer
  answer: Buffer | null
  created_at: Date
  seed: Generated<string>
  holder: string | null
  leased_until: Generated<Date>
  acted: Generated<boolean>
}

export interface EventLogTable {
  id: string
  tenant_id: number
  /** The account of the object; filled in by the database for users and domains. */
  wallet_id: Generated<string | null>
  object_type: string
  object_id: number
  event: string
  actor_id: number | null
  actor_email: string | null
  ip: string | null
  comment: string | null
  data: ColumnType<Record<string, unknown> | null, string | null, string | null>
  /** Who it really was, where staff acted in the name of `actor`. */
  staff_id: ColumnType<number | null, number | null | undefined, never>
  staff_email: ColumnType<string | null, string | null | undefined, string | null>
  created_at: Created
  /** How often it happened between `created_at` and `last_at`. */
  times: Generated<number>
  /** Null: it happened once. */
  last_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export interface DelegationTable {
  id: string
  tenant_id: number
  /** The user for whom somebody acts. */
  delegator_id: number
  delegatee_id: number
  options: ColumnType<DelegationOptions, string, string>
  status: number
  created_at: Created
  updated_at: Date
}

/** A text of the catalogues as the database keeps it. */
interface StoredMessage {
  key: string
  params?: Record<string, string | number>
}

/** Work on many objects of an account. */
export interface BatchTable {
  id: string
  tenant_id: number
  wallet_id: string
  /** Who made it. */
  user_id: number
  /** Who started it. */
  actor: ColumnType<{ userId: number; email: string; ip: string } | null, string | null, string>
  language: string
  kind: 'bulk' | 'import'
  objects: string
  action: string
  params: ColumnType<Record<string, unknown>, string, string>
  state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
  total: Generated<number>
  price: ColumnType<Record<string, unknown> | null, string | null, string | null>
  created_at: Created
  started_at: ColumnType<Date | null, Date | null, Date>
  ended_at: ColumnType<Date | null, Date | null, Date>
}

export interface BatchRowTable {
  batch_id: string
  /** Its number: as a spreadsheet shows the row of a file, from 1 for chosen objects. */
  n: number
  /** Address or name that the row is about. */
  label: string
  input: ColumnType<Record<string, unknown>, string, never>
  secret: Buffer | null
  state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
  message: ColumnType<StoredMessage | null, string | null, string | null>
  object_id: number | null
}

/** The tables of the database; the `schema.sql` of each room creates what this describes. */
export interface Schema {
  installation_keys: InstallationKeyTable
  installation_facts: InstallationFactTable
  tenants: TenantTable
  tenant_names: TenantNameTable
  addresses: AddressTable
  users: UserTable
  user_settings: UserSettingTable
  password_history: PasswordHistoryTable
  wallets: WalletTable
  wallet_controllers: WalletControllerTable
  account_offers: AccountOfferTable
  discounts: DiscountTable
  domains: DomainTable
  skus: SkuTable
  packages: PackageTable
  package_skus: PackageSkuTable
  plans: PlanTable
  plan_packages: PlanPackageTable
  entitlements: EntitlementTable
  sessions: SessionTable
  access_tokens: AccessTokenTable
  refresh_tokens: RefreshTokenTable
  second_factors: SecondFactorTable
  passkeys: PasskeyTable
  passkey_challenges: PasskeyChallengeTable
  recovery_codes: RecoveryCodeTable
  app_passwords: AppPasswordTable
  sign_in_devices: SignInDeviceTable
  signup_codes: SignupCodeTable
  signup_tokens: SignupTokenTable
  signup_invitations: SignupInvitationTable
  referral_programs: ReferralProgramTable
  referral_codes: ReferralCodeTable
  referrals: ReferralTable
  verification_codes: VerificationCodeTable
  throttles: ThrottleTable
  idempotency_keys: IdempotencyKeyTable
  event_log: EventLogTable
  delegations: DelegationTable
  batches: BatchTable
  batch_rows: BatchRowTable
  ledger_entries: LedgerEntryTable
  ledger_postings: LedgerPostingTable
  wallet_debts: WalletDebtTable
  wallet_alerts: WalletAlertTable
  wallet_settings: WalletSettingTable
  billed_periods: BilledPeriodTable
  wallet_charging: WalletChargingTable
  vat_rates: VatRateTable
  payments: PaymentTable
  wallet_mandates: WalletMandateTable
  mandate_setups: MandateSetupTable
  payment_customers: PaymentCustomerTable
  payment_alarms: PaymentAlarmTable
  exchange_rates: ExchangeRateTable
  country_database: CountryDatabaseTable
  sandbox_payments: SandboxPaymentTable
  sandbox_mandates: SandboxMandateTable
  sandbox_reversals: SandboxReversalTable
  receipt_numbers: ReceiptNumberTable
  receipts: ReceiptTable
  provisioning: ProvisioningTable
  provisioning_names: ProvisioningNameTable
  directory_objects: DirectoryObjectTable
  group_members: GroupMemberTable
  folder_acl: FolderAclTable
  impersonations: ImpersonationTable
  mail_log: MailLogTable
  mail_passes: MailPassTable
  one_off_requests: OneOffRequestTable
  price_changes: PriceChangeTable
  price_change_steps: PriceChangeStepTable
  price_change_wallets: PriceChangeWalletTable
  price_change_units: PriceChangeUnitTable
  daily_stats: DailyStatTable
  tenant_limits: TenantLimitTable
  public_domain_claims: PublicDomainClaimTable
  companions: CompanionTable
  companion_pairings: CompanionPairingTable
  auth_attempts: AuthAttemptTable
  sign_in_prompts: SignInPromptTable
  fs_keys: FileKeyTable
  fs_contents: FileContentTable
  fs_chunks: FileChunkTable
  fs_items: FileItemTable
  fs_relations: FileRelationTable
  fs_properties: FilePropertyTable
  fs_versions: FileVersionTable
  fs_uploads: FileUploadTable
  fs_shares: FileShareTable
  fs_links: FileLinkTable
  fs_tickets: FileTicketTable
  fs_thumbnails: FileThumbnailTable
  fs_usage: FileUsageTable
  oauth_clients: OAuthClientTable
  oauth_consents: OAuthConsentTable
  oauth_records: OAuthRecordTable
  oauth_keys: OAuthKeyTable
  oauth_live_grants: OAuthLiveGrantView
  rooms: RoomTable
  room_permissions: RoomPermissionTable
  meeting_hosts: MeetingHostTable
  meetings: MeetingTable
  meeting_peers: MeetingPeerTable
  meeting_knocks: MeetingKnockTable
  meeting_blocks: MeetingBlockTable
  meeting_messages: MeetingMessageTable
}
