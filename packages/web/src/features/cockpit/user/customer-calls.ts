import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { apiQuery } from '../../../platform/api/query.tsx'

/** A customer with what staff may do. */
export function customerQuery(id: string | number) {
  return apiQuery('GET /api/v4/users/{id} @staff', { params: { id: String(id) } })
}

/** The wallet that a user owns, with auto-payment. Money moves without anybody's doing, so each visit asks anew. */
export function staffWalletQuery(id: string) {
  return { ...apiQuery('GET /api/v4/wallets/{id} @staff', { params: { id } }), staleTime: 0 }
}

/** First and last name, as far as they are known. */
export function fullName({ settings }: Pick<StaffUserDetail, 'settings'>): string {
  return [settings.first_name, settings.last_name].filter(Boolean).join(' ')
}
