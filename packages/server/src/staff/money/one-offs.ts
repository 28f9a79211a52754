import type { OneOffRequest } from '@gatehouse/contract/billing/one-offs'
import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person, Principal } from '../../platform/http/callers/principal.ts'
import { Conflict, Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { actorOf } from '../../users/actor.ts'
import type { OwnedObject } from '../../users/policy.ts'
import { scopeOf } from '../list-request.ts'
import { looksAfter, mayApproveOneOff, mayRefuseOneOff } from '../policy.ts'
import { type By, byOf, type StaffParts } from '../staff-parts.ts'
import { bookOneOff, requireMoneyRight } from './money.ts'
import {
  bookedAlone,
  decideOneOff,
  holdBooker,
  insertOneOff,
  isStillStaff,
  listOneOffs,
  type OneOffRow,
  readOneOff,
} from './one-off-store.ts'

type Parts = Pick<StaffParts, 'config' | 'db' | 'clock' | 'jobs'>

/** What became of a wish: booked at once, or written down until a second member of staff decides. */
export type Wished = { readonly balance: number } | { readonly requestId: string; readonly balance: number }

/**
 * Books a bonus or penalty, or has it wait for a colleague: beyond `ONE_OFF_LIMIT` nobody moves money alone. All that one
 * person books alone within a day counts together, in parts or to many wallets.
 */
export async function wishOneOff(
  parts: Parts,
  principal: Principal,
  wallet: WalletRecord,
  booking: { readonly cents: number; readonly description: string },
  by: By,
): Promise<Wished> {
  const { db, clock } = parts
  return db.transaction().execute(async (trx) => {
    // two wishes of one person at once are added up one after the other
    await holdBooker(trx, principal.userId)
    await holdWallet(trx, wallet.id)
    if (!(await needsColleague(trx, parts, principal, booking.cents))) {
      return { balance: await bookOneOff(trx, parts, principal, wallet, booking, by) }
    }
    const { cents: amount, description } = booking
    const { tenantId } = wallet.owned
    const { id: walletId, currency } = wallet
    const facts = { tenantId, walletId, amount, currency, description, by: principal }
    const requestId = await insertOneOff(trx, clock, facts)
    await note(trx, clock, wallet, 'wallet.one-off-requested', by, { id: requestId, amount, currency })
    return { requestId, balance: wallet.balance }
  })
}

/** Whether a booking needs the approval of a second member of staff. */
export async function needsColleague(
  db: Db,
  { clock, config }: Pick<Parts, 'clock' | 'config'>,
  principal: Principal,
  cents: number,
): Promise<boolean> {
  const limit = config.ONE_OFF_LIMIT
  return limit !== 0 && (await bookedAlone(db, clock, principal.userId)) + Math.abs(cents) > limit
}

/** The request of a path with its wallet, for who looks after that. Throws NotFound, Forbidden. */
export async function requireOneOff(
  db: Db,
  principal: Principal,
  id: string,
): Promise<{ request: OneOffRow; wallet: WalletRecord }> {
  const request = isUuid(id) ? await readOneOff(db, scopeOf(principal), id) : undefined
  if (request === undefined) throw new NotFound()
  return { request, wallet: await requireWallet(db, principal, request.walletId, looksAfter) }
}

/**
 * Books what a colleague has asked for. Throws Forbidden for one's own request, or for a wallet whose money is not the
 * reader's to change; Conflict when it was decided, has expired, or who asked works here no longer.
 */
export async function approveOneOff(
  parts: Parts,
  principal: Principal,
  { request, wallet }: { readonly request: OneOffRow; readonly wallet: WalletRecord },
  by: By,
): Promise<number> {
  requireMoneyRight(principal, wallet.owned)
  if (!mayApproveOneOff(principal, asked(request), wallet.owned)) {
    throw new Forbidden(message('staff.four-eyes'))
  }
  return book(parts, { request, wallet }, { decidedBy: principal.userId, email: principal.email }, by)
}

/** The same by who has a shell and is nobody's colleague. */
export function approveAsOperator(
  parts: Parts,
  found: { readonly request: OneOffRow; readonly wallet: WalletRecord },
  by: By,
): Promise<number> {
  return book(parts, found, { decidedBy: null, email: null }, by)
}

async function book(
  parts: Parts,
  { request, wallet }: { readonly request: OneOffRow; readonly wallet: WalletRecord },
  decider: { readonly decidedBy: number | null; readonly email: string | null },
  by: By,
): Promise<number> {
  const { id, amount, currency, description } = request
  return parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, wallet.id)
    if (!(await isStillStaff(trx, request))) throw decided()
    const comment = by.comment ?? null
    if (!(await decideOneOff(trx, parts.clock, id, { state: 'approved', ...decider, comment })))
      throw decided()
    await note(trx, parts.clock, wallet, 'wallet.one-off-approved', by, { id, amount, currency })
    const booking = { cents: amount, description, request: { id, by: request.requesterEmail } }
    // whose money it is follows from who asked
    return bookOneOff(trx, parts, requester(request), wallet, booking, by)
  })
}

/** Refuses what a colleague has asked for, or takes it back. Throws Forbidden, Conflict. */
export async function refuseOneOff(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  principal: Principal,
  { request, wallet }: { readonly request: OneOffRow; readonly wallet: WalletRecord },
  by: By,
): Promise<void> {
  if (!mayRefuseOneOff(principal, asked(request), wallet.owned)) {
    throw new Forbidden(message('staff.four-eyes'))
  }
  const state = request.requestedBy === principal.userId ? 'withdrawn' : 'refused'
  await endOneOff({ db, clock }, { request, wallet }, state, by)
}

/** Ends one without a booking. Throws Conflict when it was decided or has expired. */
export async function endOneOff(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  { request, wallet }: { readonly request: OneOffRow; readonly wallet: WalletRecord },
  state: 'refused' | 'withdrawn',
  by: By,
): Promise<void> {
  const { id, amount, currency } = request
  const { userId: decidedBy = null, email = null } = by.actor
  await db.transaction().execute(async (trx) => {
    const decision = { state, decidedBy, email, comment: by.comment ?? null }
    if (!(await decideOneOff(trx, clock, id, decision))) throw decided()
    await note(trx, clock, wallet, `wallet.one-off-${state}`, by, { id, amount, currency })
  })
}

/** How a reader sees it. */
export function presentOneOff(row: OneOffRow, principal: Person, now: Date): OneOffRequest {
  const isPending = row.state === 'pending' && row.expiresAt > now
  const isOpen = isPending && !row.isOwnerDeleted
  const owned = ownedBy(row)
  return {
    id: row.id,
    walletId: row.walletId,
    user: { id: row.ownerId, email: row.ownerEmail },
    amount: row.amount,
    currency: row.currency,
    description: row.description,
    state: row.state === 'pending' && !isPending ? 'expired' : row.state,
    requestedBy: row.requesterEmail,
    createdAt: wireDate(row.createdAt),
    expiresAt: wireDate(row.expiresAt),
    decidedBy: row.deciderEmail,
    decidedAt: row.decidedAt && wireDate(row.decidedAt),
    comment: row.comment,
    canApprove: isOpen && mayApproveOneOff(principal, asked(row), owned),
    canRefuse: isOpen && mayRefuseOneOff(principal, asked(row), owned),
  }
}

/** Requests that are looked at when those are counted that wait for somebody. */
const mostWaiting = 100

/** How many requests wait for a word of somebody. */
export async function countWaiting(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  principal: Principal,
): Promise<number> {
  const now = clock.now()
  const part = { limit: mostWaiting, offset: 0 }
  const rows = await listOneOffs(db, scopeOf(principal), { state: 'pending', now }, part)
  return rows.filter((row) => presentOneOff(row, principal, now).canApprove).length
}

/** Who acts on a request, from where and what he says. */
export function deciding(principal: Principal, ip: string, comment: string | null | undefined): By {
  return byOf(actorOf(principal, { ip }), comment)
}

function asked({ requestedBy: userId, requesterRole: role }: OneOffRow) {
  return { userId, role }
}

function ownedBy(row: OneOffRow): OwnedObject {
  const { tenantId, ownerRole: role, ownerId, controllerIds } = row
  return { tenantId, role, ownerId, controllerIds }
}

function requester({ requestedBy, requesterRole, requesterTenantId }: OneOffRow): Person {
  return { userId: requestedBy, role: requesterRole, tenantId: requesterTenantId }
}

function decided(): Conflict {
  return new Conflict(message('staff.one-off-decided'))
}

/** Not in the record of the customer, who learns of money that moves and not of what staff weigh. */
async function note(
  trx: Db,
  clock: Clock,
  wallet: WalletRecord,
  event: string,
  { actor, comment }: { readonly actor: Actor; readonly comment?: string },
  data: Record<string, unknown>,
): Promise<void> {
  await audit(trx, clock, {
    tenantId: wallet.owned.tenantId,
    objectType: 'one-off',
    objectId: wallet.ownerId,
    event,
    actor,
    ...(comment !== undefined && { comment }),
    data,
  })
}
