import { domainStatus, hasBit } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { GroupwareBackend } from '../../provisioning/backend.ts'
import type { ProvisioningAdapter } from '../../provisioning/provisioned-object.ts'
import { transitionDomain } from './domain-state.ts'
import { domainState, unsettledDomains } from './domain-store.ts'

export interface DomainAdapterParts {
  readonly backend: GroupwareBackend
  readonly clock: Clock
  /** Whether there is a directory server. If so, the domain's status shows whether it was added there. */
  readonly withLdap: boolean
}

/** Provisions mail domains in the back end; reference api-objects §5.3. Does not check the DNS. */
export function domainAdapter({ backend, clock, withLdap }: DomainAdapterParts): ProvisioningAdapter {
  return {
    kind: 'domain',

    async read(db, id) {
      const row = await domainState(db, id)
      if (row === undefined) return undefined
      const { namespace, status } = row
      const isInDirectory = hasBit(status, domainStatus.ldapReady)
      return {
        name: namespace,
        isDeleted: row.deletedAt !== null,
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

    unsettled: unsettledDomains,
  }
}
