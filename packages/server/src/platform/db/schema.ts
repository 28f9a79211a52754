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
  objectId: number
  tenantId: number
  /** What stands after the "@"; made by the database. */
  domain: ColumnType<string, never, never>
}

export interface UserTable {
  id: number
  tenantId: number
  email: string
  passwordHash: string | null
  role: 'admin' | 'reseller' | 'service' | null
  status: number
  language: string | null
  /** The wallet that the user is billed to: the account the user belongs to. */
  walletId: string | null
  /** Raised by the database with every change; see `users/schema.sql`. */
  revision: Generated<number>
  /** Last and first name, else the address; kept by the database. */
  sortName: Generated<string>
  /** What a search looks through, in lower case; kept by the database, see `users/schema.sql`. */
  searchText: Generated<string>
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
  /** When all that was personal of a deleted user was removed. */
  forgottenAt: ColumnType<Date | null, never, Date>
}

export interface UserSettingTable {
  userId: number
  key: string
  value: string
}

export interface PasswordHistoryTable {
  id: string
  userId: number
  passwordHash: string
  createdAt: Created
}

export interface WalletTable {
  id: string
  userId: number
  currency: string
  /** Sum of the wallet's postings; kept by the ledger, refused to everybody else. */
  balance: ColumnType<number, never, never>
  description: string | null
  discountId: string | null
  /** Raised by the database with every change; see `users/schema.sql`. */
  revision: Generated<number>
  createdAt: Created
}

export interface WalletControllerTable {
  walletId: string
  userId: number
}

export interface AccountOfferTable {
  id: string
  /** `give`: the owner confirms a hand-over; `take`: the heir accepts it. */
  kind: 'controller' | 'give' | 'take'
  walletId: string
  email: string
  /** Null: nobody has the address. */
  userId: number | null
  /** Null: support staff. */
  invitedBy: number | null
  /** The new owner of a hand-over. */
  heirId: number | null
  codeHash: Buffer
  createdAt: Date
  expiresAt: Date
}

export interface DomainTable {
  id: number
  tenantId: number
  namespace: string
  status: number
  type: number
  walletId: string | null
  /** The name in its own script. */
  displayName: string
  /** What its owner publishes to prove the ownership; the database makes a new one when the wallet changes. */
  token: string
  /** Host names, each with a leading dot, that may send for the domain whatever SPF says. */
  spfWhitelist: Generated<string[]>
  /** Values of the last look at the DNS by kind of record; null: no answer. */
  dnsFound: ColumnType<DnsFound, string | undefined, string>
  dnsCheckedAt: Date | null
  /** When the next look in the background is due; null: none. */
  nextCheckAt: Date | null
  /** Since when the proof of ownership is looked for. */
  watchedSince: Date | null
  /** Since when neither proof nor mail servers of ours are found for a confirmed domain. */
  missingSince: Date | null
  toldMissingAt: Date | null
  /** Since when nobody can sign up in this public domain; null: they can. */
  signupClosedAt: Generated<Date | null>
  /** Raised by the database when something changes that other answers depend on; see `domains/schema.sql`. */
  revision: Generated<number>
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
}

export interface SkuTable {
  id: string
  tenantId: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  cost: number
  fee: number
  unitsFree: number
  period: 'monthly' | 'yearly'
  handler: string
  active: boolean
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PackageTable {
  id: string
  tenantId: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  discountRate: number
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PackageSkuTable {
  packageId: string
  skuId: string
  qty: number
  /** Cents per unit and month; null: made from the SKU's cost and the package's discount. */
  cost: number | null
}

export interface PlanTable {
  id: string
  tenantId: number
  title: string
  name: ColumnType<Localised, string, string>
  description: ColumnType<Localised, string, string>
  mode: 'email' | 'token' | 'mandate'
  months: number
  freeMonths: number
  hidden: boolean
  /** Plans are shown by this, then by months and title. */
  position: Generated<number>
  /** Raised by the database with every change. */
  revision: Generated<number>
}

export interface PlanPackageTable {
  planId: string
  packageId: string
  qty: Generated<number>
  qtyMin: Generated<number>
  qtyMax: Generated<number>
}

export interface EntitlementTable {
  id: string
  walletId: string
  skuId: string
  objectType: Kind
  objectId: number
  /** Cents for `months` at the time of creation. */
  cost: number
  fee: number
  /** Months that `cost` is for: 1, or 12 where the SKU is paid by the year. */
  months: Generated<number>
  description: string | null
  createdAt: Created
  /** Everything before this moment is charged. */
  billedUntil: Date
  /** From when its months are counted, a trial's end or a settlement; null: from its creation. */
  countedFrom: Generated<Date | null>
  deletedAt: Date | null
}

export interface SessionTable {
  id: string
  userId: number
  ip: string
  /** Where it was used last; null: nowhere else. */
  lastIp: ColumnType<string | null, string | null | undefined, string | null>
  userAgent: string
  createdAt: Created
  lastUsedAt: Date
  revokedAt: Date | null
  revokedReason: string | null
  /** The end, however much it is used; null: none. */
  endsAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Staff are signed in as the user. */
  impersonationId: ColumnType<string | null, string | null | undefined, never>
  /** The companion device that it belongs to. */
  companionId: ColumnType<string | null, string | null | undefined, string | null>
  /** When its holder last proved who it is; null: nobody can, it is borrowed. */
  authenticatedAt: Generated<Date | null>
}

export interface AccessTokenTable {
  hash: Buffer
  sessionId: string
  userId: number
  scopes: string[]
  expiresAt: Date
  impersonationId: ColumnType<string | null, string | null | undefined, never>
  /** As its session has it. */
  authenticatedAt: Generated<Date | null>
}

export interface RefreshTokenTable {
  hash: Buffer
  sessionId: string
  scopes: string[]
  expiresAt: Date
  usedAt: Date | null
  /** Sealed tokens that it was exchanged for, see sessions/repeated-refresh.ts. */
  successor: ColumnType<Buffer | null, null | undefined, Buffer | null>
}

export interface SecondFactorTable {
  id: string
  userId: number
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
  lastStep: number | null
  createdAt: Created
  lastUsedAt: Generated<Date | null>
  /** When it is forgotten unless it is confirmed before; null: it was. */
  expiresAt: Generated<Date | null>
}

export interface VerificationCodeTable {
  id: string
  codeHash: Buffer
  mode: 'password-reset'
  /** The user whose password may be set; unknown until the mail job has looked. */
  userId: number | null
  /** The user who made a one-time link. */
  creatorId: number | null
  active: boolean
  attempts: Generated<number>
  createdAt: Created
  expiresAt: Date
  usedAt: Date | null
}

export interface ThrottleTable {
  kind: string
  subject: Buffer
  /** Those in progress are among them; a part of one is left when the rest was forgotten. */
  failures: number
  /** Reservations of work in progress. */
  pending: Generated<number>
  reservedAt: Date | null
  blockedUntil: Date | null
  updatedAt: Date
}

export interface IdempotencyKeyTable {
  name: Buffer
  fingerprint: Buffer
  answer: Buffer | null
  createdAt: Date
  seed: Generated<string>
  holder: string | null
  leasedUntil: Generated<Date>
  acted: Generated<boolean>
}

export interface EventLogTable {
  id: string
  tenantId: number
  /** The account of the object; filled in by the database for users and domains. */
  walletId: Generated<string | null>
  objectType: string
  objectId: number
  event: string
  actorId: number | null
  actorEmail: string | null
  ip: string | null
  comment: string | null
  data: ColumnType<Record<string, unknown> | null, string | null, string | null>
  /** Who it really was, where staff acted in the name of `actor`. */
  staffId: ColumnType<number | null, number | null | undefined, never>
  staffEmail: ColumnType<string | null, string | null | undefined, string | null>
  createdAt: Created
  /** How often it happened between `created_at` and `last_at`. */
  times: Generated<number>
  /** Null: it happened once. */
  lastAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export interface DelegationTable {
  id: string
  tenantId: number
  /** The user for whom somebody acts. */
  delegatorId: number
  delegateeId: number
  options: ColumnType<DelegationOptions, string, string>
  status: number
  createdAt: Created
  updatedAt: Date
}

/** A text of the catalogues as the database keeps it. */
interface StoredMessage {
  key: string
  params?: Record<string, string | number>
}

/** Work on many objects of an account. */
export interface BatchTable {
  id: string
  tenantId: number
  walletId: string
  /** Who made it. */
  userId: number
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
  createdAt: Created
  startedAt: ColumnType<Date | null, Date | null, Date>
  endedAt: ColumnType<Date | null, Date | null, Date>
}

export interface BatchRowTable {
  batchId: string
  /** Its number: as a spreadsheet shows the row of a file, from 1 for chosen objects. */
  n: number
  /** Address or name that the row is about. */
  label: string
  input: ColumnType<Record<string, unknown>, string, never>
  secret: Buffer | null
  state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
  message: ColumnType<StoredMessage | null, string | null, string | null>
  objectId: number | null
}

/** The tables of the database; the `schema.sql` of each room creates what this describes. */
export interface Schema {
  installationKeys: InstallationKeyTable
  installationFacts: InstallationFactTable
  tenants: TenantTable
  tenantNames: TenantNameTable
  addresses: AddressTable
  users: UserTable
  userSettings: UserSettingTable
  passwordHistory: PasswordHistoryTable
  wallets: WalletTable
  walletControllers: WalletControllerTable
  accountOffers: AccountOfferTable
  discounts: DiscountTable
  domains: DomainTable
  skus: SkuTable
  packages: PackageTable
  packageSkus: PackageSkuTable
  plans: PlanTable
  planPackages: PlanPackageTable
  entitlements: EntitlementTable
  sessions: SessionTable
  accessTokens: AccessTokenTable
  refreshTokens: RefreshTokenTable
  secondFactors: SecondFactorTable
  passkeys: PasskeyTable
  passkeyChallenges: PasskeyChallengeTable
  recoveryCodes: RecoveryCodeTable
  appPasswords: AppPasswordTable
  signInDevices: SignInDeviceTable
  signupCodes: SignupCodeTable
  signupTokens: SignupTokenTable
  signupInvitations: SignupInvitationTable
  referralPrograms: ReferralProgramTable
  referralCodes: ReferralCodeTable
  referrals: ReferralTable
  verificationCodes: VerificationCodeTable
  throttles: ThrottleTable
  idempotencyKeys: IdempotencyKeyTable
  eventLog: EventLogTable
  delegations: DelegationTable
  batches: BatchTable
  batchRows: BatchRowTable
  ledgerEntries: LedgerEntryTable
  ledgerPostings: LedgerPostingTable
  walletDebts: WalletDebtTable
  walletAlerts: WalletAlertTable
  walletSettings: WalletSettingTable
  billedPeriods: BilledPeriodTable
  walletCharging: WalletChargingTable
  vatRates: VatRateTable
  payments: PaymentTable
  walletMandates: WalletMandateTable
  mandateSetups: MandateSetupTable
  paymentCustomers: PaymentCustomerTable
  paymentAlarms: PaymentAlarmTable
  exchangeRates: ExchangeRateTable
  countryDatabase: CountryDatabaseTable
  sandboxPayments: SandboxPaymentTable
  sandboxMandates: SandboxMandateTable
  sandboxReversals: SandboxReversalTable
  receiptNumbers: ReceiptNumberTable
  receipts: ReceiptTable
  provisioning: ProvisioningTable
  provisioningNames: ProvisioningNameTable
  directoryObjects: DirectoryObjectTable
  groupMembers: GroupMemberTable
  folderAcl: FolderAclTable
  impersonations: ImpersonationTable
  mailLog: MailLogTable
  mailPasses: MailPassTable
  oneOffRequests: OneOffRequestTable
  priceChanges: PriceChangeTable
  priceChangeSteps: PriceChangeStepTable
  priceChangeWallets: PriceChangeWalletTable
  priceChangeUnits: PriceChangeUnitTable
  dailyStats: DailyStatTable
  tenantLimits: TenantLimitTable
  publicDomainClaims: PublicDomainClaimTable
  companions: CompanionTable
  companionPairings: CompanionPairingTable
  authAttempts: AuthAttemptTable
  signInPrompts: SignInPromptTable
  fsKeys: FileKeyTable
  fsContents: FileContentTable
  fsChunks: FileChunkTable
  fsItems: FileItemTable
  fsRelations: FileRelationTable
  fsProperties: FilePropertyTable
  fsVersions: FileVersionTable
  fsUploads: FileUploadTable
  fsShares: FileShareTable
  fsLinks: FileLinkTable
  fsTickets: FileTicketTable
  fsThumbnails: FileThumbnailTable
  fsUsage: FileUsageTable
  oauthClients: OAuthClientTable
  oauthConsents: OAuthConsentTable
  oauthRecords: OAuthRecordTable
  oauthKeys: OAuthKeyTable
  oauthLiveGrants: OAuthLiveGrantView
  rooms: RoomTable
  roomPermissions: RoomPermissionTable
  meetingHosts: MeetingHostTable
  meetings: MeetingTable
  meetingPeers: MeetingPeerTable
  meetingKnocks: MeetingKnockTable
  meetingBlocks: MeetingBlockTable
  meetingMessages: MeetingMessageTable
}
