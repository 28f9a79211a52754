import { z } from 'zod'
import { successStatus } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

export const referralProgram = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Accounts that signed up with the owner's own code. */
  refcount: z.number().int(),
  /** Sign-up page with the code. */
  url: z.string(),
  /** QR code of `url` as a data URI. */
  qrCode: z.string(),
})

export type ReferralProgram = z.infer<typeof referralProgram>

export const referralRoutes = defineRoutes({
  'GET /api/v4/wallets/{id}/referral-programs': {
    summary: 'List programmes that reward the owner of a wallet when someone signs up with their code',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    params: z.object({ id: z.string() }),
    ok: successStatus.extend({ page: z.literal(1) }).extend(pagedList(referralProgram).shape),
    errors: [401, 403, 404],
  },
})
