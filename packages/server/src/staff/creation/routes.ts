import { kindAt } from '@gatehouse/contract/directory/kinds'
import type { CreatedKind } from '@gatehouse/contract/staff/staff-creation'
import type { DirectoryParts } from '../../directory/directory-parts.ts'
import { bringDomain, checkDomain } from '../../directory/domains/create-domain.ts'
import { checkFolder, folderCreation } from '../../directory/folders/create-folder.ts'
import { findOutsiders } from '../../directory/groups/check-members.ts'
import { type CheckedGroup, checkGroup, groupCreation } from '../../directory/groups/create-group.ts'
import { type Creation, createObject } from '../../directory/objects/create-object.ts'
import { checkResource, resourceCreation } from '../../directory/resources/create-resource.ts'
import type { Hasher } from '../../passwords/hasher.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'
import { packageError } from '../../subscriptions/packages.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { previewNew } from '../../subscriptions/prices/preview.ts'
import {
  type AccountView,
  accountOf,
  accountStatus,
  ownedUser,
} from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { findDomain } from '../../users/addresses/domain-store.ts'
import { type EmailAddress, parseEmailAddress } from '../../users/addresses/email-address.ts'
import { AddressTaken } from '../../users/create-user.ts'
import type { StaffParts } from '../staff-parts.ts'
import { createServiceUser } from './create-service-user.ts'
import { type CreateUserParts, createCustomerUser } from './create-user.ts'
import { creationOffer } from './creation-offer.ts'
import { requireCreation, requireSeenAccount } from './customer-account.ts'

type Parts = StaffParts & DirectoryParts & CreateUserParts & { readonly hasher: Hasher }

/** Objects that staff create for customers, and admins for the service. */
export function serveCreation(api: Api, parts: Parts): void {
  serveOffer(api, parts)
  serveUsers(api, parts)
  serveObjects(api, parts)
}

interface Asking extends Pick<RequestFacts, 't' | 'language'> {
  readonly principal: Principal
  readonly params: { readonly id: string }
}

const accountFor = (parts: Parts, request: Asking, kind: CreatedKind): Promise<AccountView> =>
  requireCreation(parts, request.principal, request.params.id, kind, request)

function serveOffer(api: Api, parts: Parts): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/accounts/{id}/creation', async ({ principal, params, ...request }) =>
    creationOffer(parts, principal, await requireSeenAccount(parts, principal, params.id), request),
  )

  api.serveLate('POST /api/v4/accounts/{id}/{kind}/preview', async (context) => {
    const { principal, params, language } = context
    const { kind } = params
    const account = await accountFor(parts, context, kind)
    const { tenantId } = account.user
    const { package: packageId } = context.read()
    const type = kindAt[kind]
    const isBought = type === 'user' || type === 'domain'
    const wrong = isBought ? await packageError(db, tenantId, packageId, type) : undefined
    if (wrong !== undefined) throw new ValidationError({ package: wrong })
    return previewNew(db, clock, {
      tenantId,
      walletId: account.wallet.id,
      language,
      type,
      packageId: (isBought ? packageId : undefined) ?? undefined,
      wanted: undefined,
      actor: subscriptionRights(principal, ownedUser(account), accountStatus(account)),
      isOffered: true,
    })
  })
}

function serveUsers(api: Api, parts: Parts): void {
  const { db, config } = parts

  api.serveLate('POST /api/v4/accounts/{id}/users', async (context) => {
    const account = await accountFor(parts, context, 'users')
    const id = await createCustomerUser(parts, account, context)
    const { email } = account.user
    return { status: 'success', message: context.t('staff.user-created', { owner: email }), id }
  })

  api.serveLate('POST /api/v4/service-users', async ({ principal, read, t, language, ip }) => {
    const { body, found: email } = await read((fields) => checkAddress(fields.email))
    // a user with such an address could send in a customer's name
    if ((await findDomain(db, email.domain))?.walletId != null) {
      throw ValidationError.at('email', 'validation.domainnotavailable')
    }
    const user = {
      tenantId: principal.tenantId,
      email,
      language,
      currency: config.APP_CURRENCY,
      whom: { ip },
    }
    const by = { actor: actorOf(principal, { ip }), comment: body.reason }
    const made = await createServiceUser(parts, user, by).catch((error: unknown) => {
      throw error instanceof AddressTaken ? ValidationError.at('email', 'validation.entryexists') : error
    })
    return { status: 'success', message: t('staff.service-user-created'), email: email.full, ...made }
  })
}

function serveObjects(api: Api, parts: Parts): void {
  const { db } = parts

  const create = (creation: Creation, { reason }: { readonly reason: string }) =>
    createObject(parts, { ...creation, comment: reason })

  api.serveLate('POST /api/v4/accounts/{id}/domains', async (context) => {
    const { principal, language, ip } = context
    const account = await accountFor(parts, context, 'domains')
    const domain = await checkDomain(parts, account, context.read)
    const by = { language, actor: actorOf(principal, { ip }), comment: context.read().reason }
    const id = await bringDomain(parts, account, domain, by)
    return { status: 'success', message: context.t('domains.create-success'), id }
  })

  api.serveLate('POST /api/v4/accounts/{id}/groups', async (context) => {
    const account = await accountFor(parts, context, 'groups')
    const group = await checkGroup(db, account, context.read)
    await requireInsideMembers(parts, account, group)
    const creation = groupCreation(account, group, actorOf(context.principal, context))
    const id = await create(creation, context.read())
    return { status: 'success', message: context.t('directory.distlist-create-success'), id }
  })

  api.serveLate('POST /api/v4/accounts/{id}/resources', async (context) => {
    const account = await accountFor(parts, context, 'resources')
    const place = await checkResource(db, account, context.read)
    const creation = resourceCreation(account, place, actorOf(context.principal, context))
    const id = await create(creation, context.read())
    return { status: 'success', message: context.t('directory.resource-create-success'), id }
  })

  api.serveLate('POST /api/v4/accounts/{id}/shared-folders', async (context) => {
    const account = await accountFor(parts, context, 'shared-folders')
    const folder = await checkFolder(parts, account, context.read)
    const creation = folderCreation(account, folder, actorOf(context.principal, context))
    const id = await create(creation, context.read())
    return { status: 'success', message: context.t('directory.shared-folder-create-success'), id }
  })
}

function checkAddress(text: string | null | undefined): Checked<EmailAddress> {
  const email = parseEmailAddress(text ?? '')
  return email === undefined ? { errors: { email: [message('validation.entryinvalid')] } } : { value: email }
}

/** Forwarding mail to outsiders is the customer's decision. Throws ValidationError at these recipients. */
async function requireInsideMembers(
  { db }: Pick<Parts, 'db'>,
  account: AccountView,
  { places }: CheckedGroup,
): Promise<void> {
  const owner = { ...accountOf(account), walletId: account.wallet.id }
  const outsiders = await findOutsiders(db, owner, [...places.keys()])
  if (outsiders.length === 0) return
  const text = message('staff.outside-recipient')
  throw new ValidationError({ members: new Map(outsiders.map((one) => [places.get(one) ?? 0, text])) })
}
