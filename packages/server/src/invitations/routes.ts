import type { InviteOutcome, InviteRow } from '@gatehouse/contract/invitations'
import type { Language } from '@gatehouse/contract/language'
import { actorOf } from '../accounts/user-parts.ts'
import { audit } from '../platform/audit.ts'
import { after } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api, RequestFacts } from '../platform/http/api.ts'
import { NotFound, ValidationError } from '../platform/http/errors.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { isUuid } from '../platform/ids.ts'
import { invitationLife, invitationStatus } from '../signup/invitation-store.ts'
import { type InvitationRow, listInvitations, presentInvitation } from './invitation-list.ts'
import { enqueueMail, type InviteParts, invite, previewInvite } from './invite.ts'
import { type AddressRow, readAddress, readAddresses } from './read-addresses.ts'

/** Invitations of a reseller's own tenant; reference api-billing-admin §19. */
export function serveInvitations(api: Api, parts: InviteParts): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/invitations', ({ principal, query }) =>
    listInvitations(db, principal.tenantId, query, clock.now()),
  )

  api.serve('POST /api/v4/invitations', async ({ principal, body, ...request }) => {
    const email = readAddress(body.email)
    if (email === undefined) throw ValidationError.at('email', 'validation.email')
    const found = (await invite(parts, inviterOf(principal, request), [email])).get(email)
    if (found?.outcome !== 'created') {
      throw ValidationError.at('email', found?.outcome === 'member' ? texts.member : texts.invited)
    }
    await record(parts, principal, request, 'invitation.created', { email })
    const invitation = presentInvitation(await requireOne(db, principal, found.id), clock.now())
    return {
      status: 'success',
      message: request.t('invitations.created', { count: 1 }),
      count: 1,
      invitation,
    }
  })

  api.serveUpload('POST /api/v4/invitations/import', async (context) => {
    const { principal, t } = context
    const { preview } = context.read()
    const rows = await readAddresses(context)
    const emails = [...new Set(rows.flatMap(({ email }) => (email === undefined ? [] : [email])))]
    const outcomes =
      preview === '1'
        ? await previewInvite(db, clock, principal.tenantId, emails)
        : outcomesOf(await invite(parts, inviterOf(principal, context), emails))
    const shown = presentRows(rows, outcomes, t)
    const count = shown.filter(({ outcome }) => outcome === 'created').length
    if (preview !== '1' && count > 0) {
      await record(parts, principal, context, 'invitation.created', { count })
    }
    const message = t(preview === '1' ? 'invitations.would-create' : 'invitations.created', { count })
    return { status: 'success', message, count, rows: shown }
  })

  api.serve('POST /api/v4/invitations/{id}/resend', async ({ principal, params, ...request }) => {
    await requireOne(db, principal, params.id)
    await resend(parts, principal, params.id, request.language)
    const row = await requireOne(db, principal, params.id)
    await record(parts, principal, request, 'invitation.resent', { email: row.email })
    const invitation = presentInvitation(row, clock.now())
    return { status: 'success', message: request.t('invitations.resent'), invitation }
  })

  api.serve('DELETE /api/v4/invitations/{id}', async ({ principal, params, ...request }) => {
    const row = await requireOne(db, principal, params.id)
    await db.deleteFrom('signup_invitations').where('id', '=', row.id).execute()
    await record(parts, principal, request, 'invitation.deleted', { email: row.email })
    return { status: 'success', message: request.t('invitations.deleted') }
  })
}

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

/** Of an address that stands twice in a file, the first line counts. */
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

/** An invitation of the own tenant. Throws NotFound. */
async function requireOne(db: Db, principal: Principal, id: string): Promise<InvitationRow> {
  const row = isUuid(id)
    ? await db
        .selectFrom('signup_invitations')
        .select(['id', 'email', 'status', 'error', 'created_at', 'expires_at'])
        .where('id', '=', id)
        .where('tenant_id', '=', principal.tenantId)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw new NotFound()
  return row
}

/** Sends what was sent, has failed or has expired once more, for another whole time; the rest stays as it is. */
async function resend(
  { db, clock, jobs }: InviteParts,
  principal: Principal,
  id: string,
  language: Language,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('signup_invitations')
      .set({
        status: invitationStatus.new,
        error: null,
        updated_at: now,
        expires_at: after(now, invitationLife),
      })
      .where('id', '=', id)
      .where('tenant_id', '=', principal.tenantId)
      .where('status', '<>', invitationStatus.completed)
      .where((where) =>
        where.or([where('status', '<>', invitationStatus.new), where('expires_at', '<=', now)]),
      )
      .returning('id')
      .executeTakeFirst()
    if (changed !== undefined) await enqueueMail(jobs, trx, id, language)
  })
}

/** Into the record of who invites; of the reseller's own account, since nobody else's is concerned yet. */
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
