import type { MailStorage } from '@gatehouse/contract/directory/mail-storage'
import { wireDate } from '../platform/clock.ts'
import type { MeasuredStorage } from './usage-store.ts'

/** What a mailbox holds, in the API. */
export function presentMailStorage({ used, quota, measuredAt }: MeasuredStorage): MailStorage {
  return { used, quota, measured_at: measuredAt && wireDate(measuredAt) }
}
