import type { groupRoutes } from '@gatehouse/contract/groups'
import { accountOf } from '../../accounts/add-member.ts'

import { checkEmail } from '../../accounts/user-input.ts'
import { actorOf } from '../../accounts/user-parts.ts'
import type { LateContext } from '../../platform/http/api.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { createObject } from '../create-object.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { requireCreator } from '../object-access.ts'
import { checkName } from '../object-name.ts'
import { checkMembers, nestingErrors } from './check-members.ts'
import { changeMembers } from './member-store.ts'

type Context = LateContext<(typeof groupRoutes)['POST /api/v4/groups']>

/** Creates a distribution list in the caller's account; reference api-objects §9. Returns its number. */
export async function createGroup(parts: DirectoryParts, context: Context): Promise<number> {
  const { db } = parts
  const account = await requireCreator(parts, context.principal, 'group', context)
  const input = context.input()
  const owner = accountOf(account)
  const { email, errors } = await checkEmail(db, { ...owner, ownDomainsOnly: true }, input.email)
  const name = await checkName(db, { kind: 'group', domain: email?.domain, text: input.name })
  const members = await checkMembers(db, owner, email?.full, input.members)
  context.read({
    ...errors,
    ...(name.problem && { name: [name.problem] }),
    ...(members.error && { members: members.error }),
  })
  if (email === undefined || name.name === undefined) throw new RangeError('both were checked')
  return createObject(parts, {
    account,
    actor: actorOf(context.principal, context),
    object: { kind: 'group', domain: email.domain, email: () => email.full, name: name.name },
    domainField: 'email',
    onTaken: () => ({ email: message('validation.entryexists') }),
    fill: async (trx, id) => {
      const added = [...members.places.keys()]
      const loops = await nestingErrors(trx, email.full, members.places)
      if (loops.size > 0) throw new ValidationError({ members: loops })
      await changeMembers(trx, id, { removed: [], added })
      return { members: added.length }
    },
  })
}
