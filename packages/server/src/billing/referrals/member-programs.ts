import { toString as drawQrCode } from 'qrcode'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { randomShortCode } from '../../platform/secrets.ts'
import { insertCode, type MemberProgram, programsWithoutCode, readMemberPrograms } from './referral-store.ts'

const codeLength = 8

/**
 * The active programmes of a tenant with a user's code in each. Codes are created on first read; concurrent
 * readers get the same one.
 */
export async function memberPrograms(
  db: Db,
  clock: Clock,
  member: { readonly tenantId: number; readonly userId: number },
): Promise<MemberProgram[]> {
  const { tenantId, userId } = member
  for (const programId of await programsWithoutCode(db, tenantId, userId)) {
    const make = () =>
      insertCode(db, { code: randomShortCode(codeLength), programId, userId, now: clock.now() })
    // there are 10¹² codes, so collisions are rare, let alone two in a row
    for (let made = false; !made; ) made = await make()
  }
  return readMemberPrograms(db, tenantId, userId)
}

/** QR code of a URL as a data URI. */
export async function qrPicture(url: string): Promise<string> {
  const svg = await drawQrCode(url, { type: 'svg', width: 300, margin: 1 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
