import { domainStatus, hasBit } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { GroupwareBackend } from './backend.ts'
import type { ProvisioningAdapter } from './provisioned-object.ts'

export interface DomainAdapterParts {
  readonly backend: GroupwareBackend
  readonly clock: Clock
  /** There is a directory server: the status of a domain says whether it has the domain. */
  readonly withLdap: boolean
}

/** Tells the back end of mail domains; reference api-objects §5.3. Whether one exists in the DNS is not its task. */
export function domainAdapter({ backend, clock, withLdap }: DomainAdapterParts): ProvisioningAdapter {
  return {
    kind: 'domain',

    async read(db, id) {
      const row = await db
        .selectFrom('domains')
        .select(['namespace', 'status', 'deleted_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { namespace, status } = row
      const isInDirectory = hasBit(status, domainStatus.ldapReady)
      return {
        name: namespace,
        isDeleted: row.deleted_at !== null,
        isRemoved: hasBit(status, domainStatus.deleted),
        isWanted: true,
        isKnown: isInDirectory,
        isReady: !withLdap || isInDirectory,
        waitsFor: undefined,
        create: () => backend.createDomain({ id, namespace, status }),
        update: () => backend.updateDomain({ id, namespace, status }),
      }
    },

    remove: (id, namespace) => backend.deleteDomain({ id, namespace }),

    markReady: (trx, id) => changeStatus(trx, clock, id, { add: domainStatus.ldapReady, remove: 0 }, false),

    markRemoved: (trx, id) => {
      const remove = domainStatus.active | domainStatus.ldapReady
      return changeStatus(trx, clock, id, { add: domainStatus.deleted, remove }, true)
    },

    unsettled: sql<{ id: number }>`select d.id from domains d
      where (d.deleted_at is not null and d.status & ${sql.lit(domainStatus.deleted)} = 0)
        or (d.deleted_at is null and not exists (select from provisioning p
          where p.kind = 'domain' and p.object_id = d.id and p.told_at is not null))`,
  }
}

/** Changes bits of a domain in one statement. Throws when it is deleted and should not be, or the other way round. */
async function changeStatus(
  trx: Db,
  clock: Clock,
  id: number,
  bits: { readonly add: number; readonly remove: number },
  isDeleted: boolean,
): Promise<void> {
  const changed = await trx
    .updateTable('domains')
    .set({
      status: sql<number>`(status | ${bits.add}::int) & ~${bits.remove}::int`,
      updated_at: clock.now(),
    })
    .where('id', '=', id)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined)
    throw new Error(`domain ${id} was ${isDeleted ? 'restored' : 'deleted'} meanwhile`)
}
