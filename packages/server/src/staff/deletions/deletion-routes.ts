import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { ownedDomain } from '../../directory/domains/domain.ts'
import { type DirectoryKind, ownedObject } from '../../directory/objects/object.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message } from '../../platform/http/errors.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import type { OwnedObject } from '../../users/policy.ts'
import { mayDelete } from '../policy.ts'
import {
  ownedByStaffRules,
  requireCustomers,
  requireStaffDomain,
  requireStaffObject,
} from '../staff-object.ts'
import type { StaffParts } from '../staff-parts.ts'
import { requireSeen } from '../staff-user.ts'
import {
  type Deletion,
  deleteCustomer,
  deleteCustomersDomain,
  deleteCustomersObject,
  eraseCustomer,
  eraseCustomersDomain,
  eraseCustomersObject,
} from './deletions.ts'

/** Deletion and erasure in the cockpits. */
export function serveDeletions(api: Api, parts: StaffParts): void {
  serveUsers(api, parts)
  serveDomains(api, parts)
  for (const kind of directoryKinds) serveObjects(api, parts, kind)
}

interface Acting extends Pick<RequestFacts, 'ip'> {
  readonly principal: Principal
}

function deletionBy(
  { principal, ip }: Acting,
  { reason, confirm }: { readonly reason: string; readonly confirm?: string | null | undefined },
): Deletion {
  return { by: { actor: actorOf(principal, { ip }), comment: reason }, confirm }
}

function requireRight(principal: Principal, object: OwnedObject): void {
  if (!mayDelete(principal, object)) throw new Forbidden(message('staff.colleague'))
}

function serveUsers(api: Api, parts: StaffParts): void {
  const target = async (principal: Principal, id: string) => {
    const view = await requireSeen(parts.db, principal, id)
    requireRight(principal, ownedUser(view))
    return view
  }

  api.serveLate('POST /api/v4/users/{id}/delete', async ({ principal, params, read, t, ip }) => {
    const view = await target(principal, params.id)
    await deleteCustomer(parts, view, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t('staff.deleted') }
  })

  api.serveLate('POST /api/v4/users/{id}/erase', async ({ principal, params, read, t, ip }) => {
    const view = await target(principal, params.id)
    const erasure = await eraseCustomer(parts, view, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t(erasure === 'done' ? 'staff.erased' : 'staff.erasing') }
  })
}

function serveDomains(api: Api, parts: StaffParts): void {
  const target = async (principal: Principal, id: string) => {
    const domain = await requireStaffDomain(parts.db, principal, id)
    requireCustomers(domain)
    requireRight(principal, await ownedByStaffRules(parts.db, ownedDomain(domain)))
    return domain
  }

  api.serveLate('POST /api/v4/domains/{id}/delete', async ({ principal, params, read, t, ip }) => {
    const domain = await target(principal, params.id)
    await deleteCustomersDomain(parts, domain, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t('staff.deleted') }
  })

  api.serveLate('POST /api/v4/domains/{id}/erase', async ({ principal, params, read, t, ip }) => {
    const domain = await target(principal, params.id)
    await eraseCustomersDomain(parts, domain, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t('staff.erased') }
  })
}

function serveObjects(api: Api, parts: StaffParts, kind: DirectoryKind): void {
  const { path } = kinds[kind]
  const target = async (principal: Principal, id: string) => {
    const object = await requireStaffObject(parts.db, principal, kind, id)
    requireRight(principal, await ownedByStaffRules(parts.db, ownedObject(object)))
    return object
  }

  api.serveLate(`POST /api/v4/${path}/{id}/delete`, async ({ principal, params, read, t, ip }) => {
    const object = await target(principal, params.id)
    await deleteCustomersObject(parts, object, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t('staff.deleted') }
  })

  api.serveLate(`POST /api/v4/${path}/{id}/erase`, async ({ principal, params, read, t, ip }) => {
    const object = await target(principal, params.id)
    await eraseCustomersObject(parts, object, deletionBy({ principal, ip }, read()))
    return { status: 'success', message: t('staff.erased') }
  })
}
