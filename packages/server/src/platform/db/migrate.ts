import { runMigrations as migrateJobs } from 'graphile-worker'
import { type Migration, Migrator } from 'kysely'
import type { Database } from './database.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as sessions from './migrations/0002-sessions.ts'
import * as users from './migrations/0003-users.ts'
import * as delegations from './migrations/0004-delegations.ts'
import * as provisioning from './migrations/0005-provisioning.ts'
import * as domains from './migrations/0006-domains.ts'
import * as directory from './migrations/0007-directory.ts'
import * as bulk from './migrations/0008-bulk.ts'
import * as ledger from './migrations/0010-ledger.ts'
import * as charging from './migrations/0011-charging.ts'
import * as walletLife from './migrations/0012-wallet-life.ts'
import * as receipts from './migrations/0013-receipts.ts'
import * as payments from './migrations/0014-payments.ts'
import * as autoPayment from './migrations/0015-auto-payment.ts'
import * as signupWays from './migrations/0016-signup-ways.ts'
import * as referrals from './migrations/0017-referrals.ts'
import * as chargeFacts from './migrations/0018-charge-facts.ts'
import * as staff from './migrations/0019-staff.ts'
import * as statistics from './migrations/0020-statistics.ts'
import * as tenantWallets from './migrations/0026-tenant-wallets.ts'
import * as oneOffs from './migrations/0027-one-offs.ts'
import * as moneyMarks from './migrations/0028-money-marks.ts'
import * as factors from './migrations/0029-factors.ts'
import * as companions from './migrations/0030-companions.ts'
import * as appPasswords from './migrations/0031-app-passwords.ts'
import * as oauth from './migrations/0032-oauth.ts'
import * as mailPasses from './migrations/0033-mail-passes.ts'
import * as borrowedGrants from './migrations/0035-borrowed-grants.ts'
import * as files from './migrations/0036-files.ts'
import * as rooms from './migrations/0038-rooms.ts'
import * as meetings from './migrations/0039-meetings.ts'
import * as tenantNames from './migrations/0040-tenant-names.ts'
import * as sessionEnds from './migrations/0041-session-ends.ts'
import * as clientPkce from './migrations/0042-client-pkce.ts'
import * as requestLeases from './migrations/0043-request-leases.ts'
import * as staffLimits from './migrations/0044-staff-limits.ts'
import * as throttleReservations from './migrations/0047-throttle-reservations.ts'
import * as signInRecord from './migrations/0048-sign-in-record.ts'
import * as installationKeys from './migrations/0049-installation-keys.ts'
import * as forfeits from './migrations/0050-forfeits.ts'
import * as invitedNames from './migrations/0051-invited-names.ts'
import * as canonicalAddresses from './migrations/0052-canonical-addresses.ts'
import * as accountOffers from './migrations/0054-account-offers.ts'
import * as handOver from './migrations/0055-hand-over.ts'
import * as forgottenActors from './migrations/0056-forgotten-actors.ts'
import * as priceChanges from './migrations/0061-price-changes.ts'
import * as tenantOffer from './migrations/0063-tenant-offer.ts'
import * as tenantSignUp from './migrations/0064-tenant-sign-up.ts'
import * as countryDatabase from './migrations/0066-country-database.ts'
import * as domainScripts from './migrations/0067-domain-scripts.ts'
import * as feeLimitAndActors from './migrations/0072-fee-limit-and-actors.ts'

/** In order; a migration that has run anywhere is never changed, only followed by another. */
const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-sessions': sessions,
  '0003-users': users,
  '0004-delegations': delegations,
  '0005-provisioning': provisioning,
  '0006-domains': domains,
  '0007-directory': directory,
  '0008-bulk': bulk,
  '0010-ledger': ledger,
  '0011-charging': charging,
  '0012-wallet-life': walletLife,
  '0013-receipts': receipts,
  '0014-payments': payments,
  '0015-auto-payment': autoPayment,
  '0016-signup-ways': signupWays,
  '0017-referrals': referrals,
  '0018-charge-facts': chargeFacts,
  '0019-staff': staff,
  '0020-statistics': statistics,
  '0026-tenant-wallets': tenantWallets,
  '0027-one-offs': oneOffs,
  '0028-money-marks': moneyMarks,
  '0029-factors': factors,
  '0030-companions': companions,
  '0031-app-passwords': appPasswords,
  '0032-oauth': oauth,
  '0033-mail-passes': mailPasses,
  '0035-borrowed-grants': borrowedGrants,
  '0036-files': files,
  '0038-rooms': rooms,
  '0039-meetings': meetings,
  '0040-tenant-names': tenantNames,
  '0041-session-ends': sessionEnds,
  '0042-client-pkce': clientPkce,
  '0043-request-leases': requestLeases,
  '0044-staff-limits': staffLimits,
  '0047-throttle-reservations': throttleReservations,
  '0048-sign-in-record': signInRecord,
  '0049-installation-keys': installationKeys,
  '0050-forfeits': forfeits,
  '0051-invited-names': invitedNames,
  '0052-canonical-addresses': canonicalAddresses,
  '0054-account-offers': accountOffers,
  '0055-hand-over': handOver,
  '0056-forgotten-actors': forgottenActors,
  '0061-price-changes': priceChanges,
  '0063-tenant-offer': tenantOffer,
  '0064-tenant-sign-up': tenantSignUp,
  '0066-country-database': countryDatabase,
  '0067-domain-scripts': domainScripts,
  '0072-fee-limit-and-actors': feeLimitAndActors,
}

/** Brings the database to the present schema. Hold the start-up lock: the job queue's part has none. */
export async function migrate({ db, pool }: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  await migrateJobs({ pgPool: pool })
}
