import { domainStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { changeDomainStatus } from './domain-store.ts'

const { active, confirmed, deleted, ldapReady, suspended, verified } = domainStatus
const isNew = domainStatus.new

/** The only allowed state transitions of a domain. Each sets and clears status bits atomically. */
const transitions = {
  /** The name was found in the DNS. */
  verify: { add: verified, remove: 0 },
  /** The account has proved ownership of the name. */
  confirm: { add: confirmed, remove: 0 },
  /** Ownership has to be proved again. */
  forget: { add: isNew, remove: confirmed | verified | active },
  suspend: { add: suspended, remove: 0 },
  unsuspend: { add: 0, remove: suspended },
  ldapReady: { add: ldapReady, remove: 0 },
  /** The back ends have removed a deleted domain. */
  removed: { add: deleted, remove: ldapReady, ofDeleted: true },
  /** A deleted domain is restored. Ownership of the name has to be proved again. */
  restore: { add: isNew, remove: deleted | confirmed | verified | active | ldapReady, ofDeleted: true },
} as const

export type DomainTransition = keyof typeof transitions

/** The state does not allow the change: the domain does not exist, or is (or is not) deleted. */
export class IllegalDomainTransition extends Error {
  override name = 'IllegalDomainTransition'
}

/**
 * Changes a domain's state and normalises it (reference api-objects §3). Returns whether any bit changed.
 * Throws IllegalDomainTransition.
 */
export async function transitionDomain(
  db: Db,
  clock: Clock,
  id: number,
  name: DomainTransition,
): Promise<boolean> {
  const isChanged = await changeDomainStatus(db, clock.now(), id, transitions[name])
  if (isChanged === undefined) throw new IllegalDomainTransition(`domain ${id}: ${name}`)
  return isChanged
}
