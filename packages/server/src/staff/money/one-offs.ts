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

/** Outcome of a booking: booked directly, or stored until a second staff member decides. */
export type Wished = { readonly balance: number } | { readonly requestId: string; readonly balance: number }

/**
 * Books a bonus or penalty, or stores it for a colleague's approval: no one moves more than `ONE_OFF_LIMIT`
 * alone. All direct bookings of one person within a day count together, in parts or across wallets.
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
    // serializes concurrent bookings of one person, so that both are counted
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

/** Whether a booking needs a second staff member's approval. */
export async function needsColleague(
  db: Db,
  { clock, config }: Pick<Parts, 'clock' | 'config'>,
  principal: Principal,
  cents: number,
): Promise<boolean> {
  const limit = config.ONE_OFF_LIMIT
  return limit !== 0 && (await bookedAlone(db, clock, principal.userId)) + Math.abs(cents) > limit
}

/** Returns a request with its wallet, for staff who manage that. Throws NotFound, Forbidden. */
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
 * Books a colleague's request. Throws Forbidden for the caller's own request, or a wallet they may not change;
 * Conflict if it was decided, has expired, or the requester no longer works here.
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

/** The same for an operator with a shell, who is no one's colleague. */
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
    // the requester determines whose money it is
    return bookOneOff(trx, parts, requester(request), wallet, booking, by)
  })
}

/** Rejects a colleague's request, or withdraws the caller's own. Throws Forbidden, Conflict. */
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

/** Closes a request without booking. Throws Conflict if it was decided or has expired. */
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

/** A request as the reader sees it. */
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

/** Maximum requests inspected when counting those that wait for a person. */
const mostWaiting = 100

/** Counts the requests that wait for a person's decision. */
export async function countWaiting(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  principal: Principal,
): Promise<number> {
  const now = clock.now()
  const part = { limit: mostWaiting, offset: 0 }
  const rows = await listOneOffs(db, scopeOf(principal), { state: 'pending', now }, part)
  return rows.filter((row) => presentOneOff(row, principal, now).canApprove).length
}

/** The person who decides a request, from where, and their comment. */
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

/** Not recorded in the customer's activity: customers see money that moves, not staff deliberations. */
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
