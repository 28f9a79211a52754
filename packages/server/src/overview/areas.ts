import type { Overview } from '@gatehouse/contract/overview'
import { dayOf } from '../billing/wallet/outlook.ts'
import type { BalancePoint, WalletFacts } from '../billing/wallet/wallet-facts.ts'
import type { DomainFacts } from '../directory/domains/domain-facts.ts'
import type { ObjectFacts } from '../directory/objects/object-facts-store.ts'
import type { UserFacts } from '../directory/users/user-facts-store.ts'
import type { FileFacts } from '../files/items/file-facts.ts'
import type { AccountStorage } from '../provisioning/account-storage-store.ts'
import { presentMailStorage } from '../provisioning/present-storage.ts'
import type { MeasuredStorage } from '../provisioning/usage-store.ts'
import { type Found, worstOf } from './problems.ts'

/** An area of the dashboard: its contents and its problems. */
export interface Area<Shown> {
  readonly shown: Shown
  readonly found: Found
}

type Shown<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** Share of the storage above which users are warned. */
const nearlyFull = 0.9

export function domainsArea(facts: DomainFacts): Area<Shown<'domains'>> {
  const found: Found = {
    'domain-unconfirmed': facts.unconfirmed,
    'domain-proof-missing': facts.proofMissing,
    'domain-failed': facts.failed,
    'domain-records': facts.records,
    'domain-suspended': facts.suspended,
  }
  return { found, shown: { total: facts.total, problem: worstOf(found) } }
}

export function usersArea(
  { total, active, pending, ...facts }: UserFacts,
  storage: AccountStorage,
): Area<Shown<'users'>> {
  const found: Found = {
    'user-failed': facts.failed,
    'user-suspended': facts.suspended,
    'mailboxes-full': storage.full,
    'mailboxes-low': storage.low,
  }
  const mail = storage.used === null ? null : { used: storage.used, quota: storage.quota }
  return { found, shown: { total, active, pending, mail, problem: worstOf(found) } }
}

/** The reader's own mailbox. */
export function mailboxArea(storage: MeasuredStorage): Area<Shown<'mailbox'>> {
  const { used, quota } = storage
  const isMeasured = used !== null && quota !== null && quota > 0
  const isFull = isMeasured && used >= quota
  const found: Found = {
    'mailbox-full': isFull,
    'mailbox-low': isMeasured && !isFull && used >= quota * nearlyFull,
  }
  return { found, shown: { ...presentMailStorage(storage), problem: worstOf(found) } }
}

export function distlistsArea(facts: ObjectFacts): Area<Shown<'distlists'>> {
  const found: Found = {
    'distlist-failed': facts.failed,
    'distlist-suspended': facts.suspended,
    'distlist-empty': facts.empty,
  }
  return { found, shown: { total: facts.total, members: facts.members, problem: worstOf(found) } }
}

export function resourcesArea(facts: ObjectFacts): Area<Shown<'resources'>> {
  const found: Found = { 'resource-failed': facts.failed }
  return { found, shown: { total: facts.total, problem: worstOf(found) } }
}

export function foldersArea({
  total,
  mail,
  calendars,
  addressBooks,
  failed,
}: ObjectFacts): Area<Shown<'folders'>> {
  const found: Found = { 'folder-failed': failed }
  return { found, shown: { total, mail, calendars, addressBooks, problem: worstOf(found) } }
}

export function walletArea(
  { id, currency }: { readonly id: string; readonly currency: string },
  facts: WalletFacts,
): Area<Shown<'wallet'>> {
  const found: Found = Object.fromEntries(facts.troubles.map((trouble) => [trouble, true]))
  const shown = {
    ...{ id, currency, balance: facts.balance, autoPayment: facts.autoPayment },
    lastsUntil: facts.lastsUntil === undefined ? null : dayOf(facts.lastsUntil),
    past: facts.past.map(presentPoint),
    future: facts.future.map(presentPoint),
    problem: worstOf(found),
  }
  return { found, shown }
}

function presentPoint({ at, balance }: BalancePoint) {
  return { at: at.toISOString(), balance }
}

export function filesArea({ used, quota, sharedWithMe }: FileFacts): Area<Shown<'files'>> {
  const isFull = used > 0 && used >= quota
  const found: Found = {
    'storage-full': isFull,
    'storage-low': !isFull && used > 0 && used >= quota * nearlyFull,
  }
  return { found, shown: { used, quota, sharedWithMe, problem: worstOf(found) } }
}
