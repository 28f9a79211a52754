import { formatPrice } from '@gatehouse/contract/billing/price'
import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import type { Api } from '../../platform/http/api.ts'
import { actorOf } from '../../users/actor.ts'
import { scopeOf } from '../list-request.ts'
import { looksAfter } from '../policy.ts'
import type { StaffParts } from '../staff-parts.ts'
import { readOneOffAmount, requireMoneyRight } from './money.ts'
import { listOneOffs } from './one-off-store.ts'
import {
  approveOneOff,
  deciding,
  needsColleague,
  presentOneOff,
  refuseOneOff,
  requireOneOff,
  wishOneOff,
} from './one-offs.ts'

const pageSize = 20

/** Bonuses and penalties, booked directly or with a colleague's approval; reference api-billing-admin §18. */
export function serveOneOffs(api: Api, parts: StaffParts): void {
  const { db, clock } = parts

  api.serveLate('POST /api/v4/wallets/{id}/one-off', async ({ principal, params, read, t, ip, language }) => {
    const wallet = await requireWallet(db, principal, params.id, looksAfter)
    requireMoneyRight(principal, wallet.owned)
    const { amount, description } = read()
    const cents = readOneOffAmount(amount)
    const by = { actor: actorOf(principal, { ip }) }
    const done = await wishOneOff(parts, principal, wallet, { cents, description }, by)
    const { balance } = done
    if (!('requestId' in done)) {
      const said = t(cents > 0 ? 'staff.awarded' : 'staff.penalised')
      return { status: 'success', message: said, balance, request: null }
    }
    const { request } = await requireOneOff(db, principal, done.requestId)
    const limit = formatPrice(parts.config.ONE_OFF_LIMIT, wallet.currency, language)
    return {
      status: 'success',
      message: t('staff.one-off-requested', { limit }),
      balance,
      request: presentOneOff(request, principal, clock.now()),
    }
  })

  api.serveLate('POST /api/v4/wallets/{id}/one-off/preview', async ({ principal, params, read }) => {
    const wallet = await requireWallet(db, principal, params.id, looksAfter)
    requireMoneyRight(principal, wallet.owned)
    const cents = readOneOffAmount(read().amount)
    return {
      currency: wallet.currency,
      balance: { now: wallet.balance, next: wallet.balance + cents },
      needsApproval: await needsColleague(db, parts, principal, cents),
    }
  })

  api.serve('GET /api/v4/one-offs', async ({ principal, query }) => {
    const page = query.page ?? 1
    const size = query.size ?? pageSize
    const filter = { state: query.state, now: clock.now() }
    const part = { limit: size + 1, offset: (page - 1) * size }
    const rows = await listOneOffs(db, scopeOf(principal), filter, part)
    const list = rows.slice(0, size).map((row) => presentOneOff(row, principal, filter.now))
    return { status: 'success', list, count: list.length, hasMore: rows.length > size, page }
  })

  api.serveLate('POST /api/v4/one-offs/{id}/approve', async ({ principal, params, read, t, ip }) => {
    const found = await requireOneOff(db, principal, params.id)
    const balance = await approveOneOff(parts, principal, found, deciding(principal, ip, read().comment))
    const { request } = await requireOneOff(db, principal, params.id)
    const shown = presentOneOff(request, principal, clock.now())
    const said = t(request.amount > 0 ? 'staff.awarded' : 'staff.penalised')
    return { status: 'success', message: said, request: shown, balance }
  })

  api.serveLate('POST /api/v4/one-offs/{id}/refuse', async ({ principal, params, read, t, ip }) => {
    const found = await requireOneOff(db, principal, params.id)
    await refuseOneOff(parts, principal, found, deciding(principal, ip, read().comment))
    const { request } = await requireOneOff(db, principal, params.id)
    const shown = presentOneOff(request, principal, clock.now())
    return { status: 'success', message: t('staff.one-off-refused'), request: shown }
  })
}
