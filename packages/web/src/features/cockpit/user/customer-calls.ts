import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { apiQuery } from '../../../platform/api/query.tsx'

/** A customer and the permitted staff actions. */
export function customerQuery(id: string | number) {
  return apiQuery('GET /api/v4/users/{id} @staff', { params: { id: String(id) } })
}

/** The wallet a user owns, with auto-payment. Always refetched, because balances change in the background. */
export function staffWalletQuery(id: string) {
  return { ...apiQuery('GET /api/v4/wallets/{id} @staff', { params: { id } }), staleTime: 0 }
}

/** First and last name, if known. */
export function fullName({ settings }: Pick<StaffUserDetail, 'settings'>): string {
  return [settings.first_name, settings.last_name].filter(Boolean).join(' ')
}
