import { Readable } from 'node:stream'
import {
  type InviteOutcome,
  type InviteRow,
  type invitationRoutes,
  maxInvitationBytes,
} from '@gatehouse/contract/invitations'
import type { Language } from '@gatehouse/contract/language'
import type { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { invitationStatus } from '../../signup/grants/invitation-store.ts'
import { actorOf } from '../../users/actor.ts'
import {
  deleteInvitation,
  type InvitationRow,
  listInvitations,
  presentInvitation,
  readInvitation,
} from './invitation-store.ts'
import { type InviteParts, invite, previewInvite, resendInvitation } from './invite.ts'
import { type AddressRow, inviteesOf, readAddress, readAddresses } from './read-addresses.ts'

interface Inviting extends RequestFacts {
  readonly principal: Principal
  readonly read: () => z.output<(typeof invitationRoutes)['POST /api/v4/invitations']['body']>
}

/** Invitations of a reseller's own tenant; reference api-billing-admin §19. */
export function serveInvitations(api: Api, parts: InviteParts & { readonly throttle: Throttle }): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/invitations', ({ principal, query }) =>
    listInvitations(db, principal.tenantId, query, clock.now()),
  )

  const inviteOne = async ({ principal, read, ...request }: Inviting) => {
    const { email: text, first_name: firstName = null, last_name: lastName = null } = read()
    if (text == null) throw new ValidationError({ email: [message('validation.required')] })
    const email = readAddress(text)
    if (email === undefined) throw new ValidationError({ email: [message('validation.email')] })
    const invitee = { email, firstName, lastName }
    const found = (await invite(parts, inviterOf(principal, request), [invitee])).get(email)
    if (found?.outcome !== 'created') {
      throw ValidationError.at('email', found?.outcome === 'member' ? texts.member : texts.invited)
    }
    await record(parts, principal, request, 'invitation.created', { email })
    const invitation = presentInvitation(await requireOne(db, principal, found.id), clock.now())
    return {
      status: 'success' as const,
      message: request.t('invitations.created', { count: 1 }),
      count: 1,
      invitation,
    }
  }

  const inviteAll = async (
    context: Omit<Inviting, 'read'>,
    rows: readonly AddressRow[],
    preview: boolean,
  ) => {
    const { principal, t } = context
    const invitees = inviteesOf(rows)
    const emails = invitees.map(({ email }) => email)
    const outcomes = preview
      ? await previewInvite(db, clock, principal.tenantId, emails)
      : outcomesOf(await invite(parts, inviterOf(principal, context), invitees))
    const shown = presentRows(rows, outcomes, t)
    const count = shown.filter(({ outcome }) => outcome === 'created').length
    if (!preview && count > 0) {
      await record(parts, principal, context, 'invitation.created', { count })
    }
    const said = t(preview ? 'invitations.would-create' : 'invitations.created', { count })
    return { status: 'success' as const, message: said, count, rows: shown }
  }

  const ofFile = async (context: Omit<Inviting, 'read'>, file: Buffer) => {
    const rows = await readAddresses({ file: Readable.from([file]), announcedBytes: file.length })
    const wrong = rows.filter(({ email }) => email === undefined)
    const [first, ...more] = wrong
      .slice(0, mostTold)
      .map(({ row, text }) => message('invitations.file-address', { line: row, text }))
    if (first !== undefined) throw new ValidationError({ file: more.length === 0 ? first : [first, ...more] })
    return inviteAll(context, rows, false)
  }

  api.serveForm(
    'POST /api/v4/invitations',
    (context) => {
      const file = context.files.get('file')
      return file === undefined ? inviteOne(context) : ofFile(context, file)
    },
    maxInvitationBytes,
  )

  api.serveUpload('POST /api/v4/invitations/import', async (context) => {
    const { preview } = context.read()
    return inviteAll(context, await readAddresses(context), preview === '1')
  })

  api.serve('POST /api/v4/invitations/{id}/resend', async ({ principal, params, ...request }) => {
    const before = await requireOne(db, principal, params.id)
    if (isSentAgain(before, clock.now())) {
      // throttled so that no mailbox can be flooded by repeated clicks
      const account = `${principal.tenantId} ${before.email}`
      await parts.throttle.spend({ kind: 'invitation', account })
    }
    await resendInvitation(parts, inviterOf(principal, request), params.id)
    const row = await requireOne(db, principal, params.id)
    await record(parts, principal, request, 'invitation.resent', { email: row.email })
    const invitation = presentInvitation(row, clock.now())
    return { status: 'success', message: request.t('invitations.resent'), invitation }
  })

  api.serve('DELETE /api/v4/invitations/{id}', async ({ principal, params, ...request }) => {
    const row = await requireOne(db, principal, params.id)
    await deleteInvitation(db, row.id)
    await record(parts, principal, request, 'invitation.deleted', { email: row.email })
    return { status: 'success', message: request.t('invitations.deleted') }
  })
}

/** Maximum invalid lines listed in an error. */
const mostTold = 20

const texts = {
  invited: 'invitations.row-invited',
  member: 'invitations.row-member',
  created: 'invitations.row-created',
  repeated: 'invitations.row-repeated',
  invalid: 'invitations.row-invalid',
} as const satisfies Record<InviteOutcome, string>

function inviterOf(principal: Principal, { language }: { readonly language: Language }) {
  return { tenantId: principal.tenantId, language }
}

function outcomesOf(found: Awaited<ReturnType<typeof invite>>): ReadonlyMap<string, InviteOutcome> {
  return new Map([...found].map(([email, { outcome }]) => [email, outcome]))
}

/** For duplicate addresses in a file, the first line counts. */
function presentRows(
  rows: readonly AddressRow[],
  outcomes: ReadonlyMap<string, InviteOutcome>,
  t: Translate,
): InviteRow[] {
  const seen = new Set<string>()
  return rows.map(({ row, text, email }) => {
    const isRepeated = email !== undefined && seen.has(email)
    if (email !== undefined) seen.add(email)
    const outcome =
      email === undefined ? 'invalid' : isRepeated ? 'repeated' : (outcomes.get(email) ?? 'invited')
    return { row, email: email ?? text, outcome, message: t(texts[outcome]) }
  })
}

/** Returns an invitation of the caller's tenant. Throws NotFound. */
async function requireOne(db: Db, principal: Principal, id: string): Promise<InvitationRow> {
  const row = isUuid(id) ? await readInvitation(db, principal.tenantId, id) : undefined
  if (row === undefined) throw new NotFound()
  return row
}

/** Pending invitations are sent anyway, and used ones have ended. */
function isSentAgain({ status, expiresAt: end }: InvitationRow, now: Date): boolean {
  return status !== invitationStatus.completed && (status !== invitationStatus.new || end <= now)
}

/** Recorded in the reseller's own account, since no other account is affected yet. */
async function record(
  { db, clock }: InviteParts,
  principal: Principal,
  request: Pick<RequestFacts, 'ip'>,
  event: string,
  data: Record<string, unknown>,
): Promise<void> {
  await audit(db, clock, {
    tenantId: principal.tenantId,
    objectType: 'user',
    objectId: principal.userId,
    event,
    actor: actorOf(principal, request),
    data,
  })
}
