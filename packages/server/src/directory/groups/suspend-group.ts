import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provision } from '../../platform/provision/provision.ts'
import type { StateActor } from '../../users/account-state.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { transitionGroup } from '../objects/object-state.ts'

/**
 * Suspends or unsuspends a list. While suspended it accepts no mail. The suspension survives deletion and
 * restoration. Call it in a transaction. Throws IllegalObjectTransition for a deleted list.
 */
export async function setGroupSuspension(
  trx: Db,
  clock: Clock,
  group: Pick<DirectoryObject, 'id' | 'tenantId'>,
  name: 'suspend' | 'unsuspend',
  { actor, comment, data }: StateActor & { readonly data?: Record<string, unknown> },
): Promise<void> {
  const { id, tenantId } = group
  await transitionGroup(trx, clock, id, name)
  await audit(trx, clock, {
    tenantId,
    objectType: 'group',
    objectId: id,
    event: `group.${name}`,
    actor,
    ...(comment !== undefined && { comment }),
    ...(data !== undefined && { data }),
  })
  await provision(trx, { kind: 'group', id })
}
