import { domainStatus, hasBit } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { GroupwareBackend } from '../../provisioning/backend.ts'
import type { ProvisioningAdapter } from '../../provisioning/provisioned-object.ts'
import { transitionDomain } from './domain-state.ts'

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

    markReady: async (trx, id) => {
      await transitionDomain(trx, clock, id, 'ldapReady')
    },

    markRemoved: async (trx, id) => {
      await transitionDomain(trx, clock, id, 'removed')
    },

    unsettled: sql<{ id: number }>`select d.id from domains d
      where (d.deleted_at is not null and d.status & ${sql.lit(domainStatus.deleted)} = 0)
        or (d.deleted_at is null and not exists (select from provisioning p
          where p.kind = 'domain' and p.object_id = d.id and p.told_at is not null))`,
  }
}
