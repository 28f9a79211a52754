import { domainStatus, hasBit } from '@gatehouse/contract/status'
import { type Actor, audit } from '../../../platform/audit.ts'
import { after } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { DnsFound } from '../../../platform/db/schema.ts'
import { provision } from '../../../platform/provision/provision.ts'
import { noteStep } from '../../../platform/provision/provisioning-store.ts'
import { isController } from '../../../users/policy.ts'
import { type Domain, isConfirmed, isPublicDomain, ownedDomain } from '../domain.ts'
import { domainMailJob } from '../domain-mails.ts'
import type { DomainChecks } from '../domain-parts.ts'
import { transitionDomain } from '../domain-state.ts'
import { holdDomain, writeDomain } from '../domain-store.ts'
import { missingFor, nextLook, nextRoutineLook } from './check-schedule.ts'
import { findRecords } from './find-records.ts'
import { hasOurMailServer } from './mail-records.ts'
import { lookForProof, type Proof } from './ownership.ts'

/** What a look at the DNS of a domain found. Undefined: was not looked for, or nobody answered. */
interface Sight {
  readonly exists?: boolean | undefined
  readonly proof?: Proof
  readonly records?: DnsFound
}

/** Looks whether the name exists; what is known already is not asked again. Returns the domain as it is then. */
export async function checkExistence(parts: DomainChecks, domain: Domain): Promise<Domain> {
  if (hasBit(domain.status, domainStatus.verified)) return domain
  return note(parts, domain, { exists: await parts.dns.exists(domain.namespace) }, {})
}

/** Looks for the proof of ownership; a confirmed domain stays so. Returns the domain as it is then. */
export async function checkOwnership(parts: DomainChecks, domain: Domain, by: Actor): Promise<Domain> {
  if (isConfirmed(domain)) return domain
  return note(parts, domain, { proof: await lookForProof(parts.dns, domain) }, by)
}

/** Looks at the records that mail needs. Returns the domain as it is then. */
export async function checkRecords(parts: DomainChecks, domain: Domain): Promise<Domain> {
  const records = await findRecords(parts.dns, domain.namespace, parts.config.mailSetup)
  return note(parts, domain, { records }, {})
}

/** The look in the background: everything at once, and the date of the next one. `chance` from 0 to 1 spreads those. */
export async function checkInBackground(parts: DomainChecks, domain: Domain, chance: number): Promise<void> {
  if (isPublicDomain(domain)) return
  const [exists, proof, records] = await Promise.all([
    hasBit(domain.status, domainStatus.verified) ? true : parts.dns.exists(domain.namespace),
    lookForProof(parts.dns, domain),
    findRecords(parts.dns, domain.namespace, parts.config.mailSetup),
  ])
  await parts.db.transaction().execute(async (trx) => {
    const now = await noteIn(trx, parts, domain, { exists, proof, records }, {})
    if (now === undefined) return
    if (isConfirmed(now)) await noteMissing(trx, parts, now, { proof, records })
    await setNextLook(trx, parts, now, chance)
  })
}

async function note(parts: DomainChecks, domain: Domain, sight: Sight, by: Actor): Promise<Domain> {
  return (await parts.db.transaction().execute((trx) => noteIn(trx, parts, domain, sight, by))) ?? domain
}

/**
 * Writes down what was seen. The look took its time without holding anything, so what it says counts only for
 * the domain that it was made for: not if that was deleted, or passed to somebody with another proof, meanwhile.
 */
async function noteIn(
  trx: Db,
  parts: DomainChecks,
  seen: Domain,
  sight: Sight,
  by: Actor,
): Promise<Domain | undefined> {
  const { clock } = parts
  const domain = await holdDomain(trx, seen.id)
  if (domain === undefined || domain.deletedAt !== null || domain.token !== seen.token) return undefined
  if ('exists' in sight && !hasBit(domain.status, domainStatus.verified))
    await noteExistence(trx, parts, domain, sight.exists)
  const verified = sight.exists === true && (await transitionDomain(trx, clock, domain.id, 'verify'))
  const confirmed = sight.proof === 'given' && !isConfirmed(domain)
  if (confirmed) await confirm(trx, parts, domain, by)
  if (sight.records !== undefined) {
    await writeDomain(trx, domain.id, {
      dnsFound: JSON.stringify(sight.records),
      dnsCheckedAt: clock.now(),
    })
  }
  if (verified || confirmed) await provision(trx, { kind: 'domain', id: domain.id })
  return holdDomain(trx, domain.id)
}

/** A name that there is not is its owner's to register; where nobody answers, the next look may tell. */
function noteExistence(
  trx: Db,
  { clock }: DomainChecks,
  { id }: Domain,
  exists: boolean | undefined,
): Promise<void> {
  const state = exists === undefined ? 'waiting' : exists ? 'done' : 'failed'
  const error = exists === false ? { error: 'not in the DNS' } : {}
  return noteStep(trx, clock, { kind: 'domain', id }, 'verified', { state, ...error })
}

async function confirm(trx: Db, { clock, jobs }: DomainChecks, domain: Domain, by: Actor): Promise<void> {
  await transitionDomain(trx, clock, domain.id, 'confirm')
  await writeDomain(trx, domain.id, {
    nextCheckAt: nextRoutineLook(clock.now(), Math.random()),
    missingSince: null,
    toldMissingAt: null,
  })
  await audit(trx, clock, {
    tenantId: domain.tenantId,
    objectType: 'domain',
    objectId: domain.id,
    event: 'domain.confirmed',
    actor: by,
  })
  // who asked for the look has the answer on the screen
  const isInformed = by.userId !== undefined && isController(by.userId, ownedDomain(domain))
  if (!isInformed) await jobs.enqueue(trx, domainMailJob, { id: domain.id, kind: 'confirmed' })
}

/**
 * A confirmed domain keeps working when its proof and its mail servers are gone: that may be a fault or a move.
 * When it lasts, its owner is told, once. Silence of the servers says nothing.
 */
async function noteMissing(
  trx: Db,
  { clock, jobs, config }: DomainChecks,
  domain: Domain,
  { proof, records }: Sight,
): Promise<void> {
  const servers = records?.mx
  if (proof === 'given' || (servers != null && hasOurMailServer(servers, config.mailSetup))) {
    if (domain.missingSince !== null) {
      await writeDomain(trx, domain.id, { missingSince: null, toldMissingAt: null })
    }
    return
  }
  if (proof !== 'absent' || servers == null) return
  const now = clock.now()
  const since = domain.missingSince ?? now
  const isToBeTold = domain.toldMissingAt === null && after(since, missingFor) <= now
  await writeDomain(trx, domain.id, { missingSince: since, ...(isToBeTold && { toldMissingAt: now }) })
  if (!isToBeTold) return
  await jobs.enqueue(trx, domainMailJob, { id: domain.id, kind: 'missing' })
  await audit(trx, clock, {
    tenantId: domain.tenantId,
    objectType: 'domain',
    objectId: domain.id,
    event: 'domain.missing',
    actor: {},
  })
}

async function setNextLook(
  trx: Db,
  { clock, jobs }: DomainChecks,
  domain: Domain,
  chance: number,
): Promise<void> {
  const now = clock.now()
  if (isConfirmed(domain)) {
    await writeDomain(trx, domain.id, { nextCheckAt: nextRoutineLook(now, chance) })
    return
  }
  const next = nextLook(domain.watchedSince ?? domain.createdAt, now, chance)
  await writeDomain(trx, domain.id, { nextCheckAt: next ?? null })
  if (next === undefined) await jobs.enqueue(trx, domainMailJob, { id: domain.id, kind: 'unconfirmed' })
}

/** Somebody is at it: where the looks in the background had come to an end, they begin anew. */
export async function watchAgain(parts: Pick<DomainChecks, 'db' | 'clock'>, domain: Domain): Promise<void> {
  if (domain.nextCheckAt !== null || isConfirmed(domain) || isPublicDomain(domain)) return
  const now = parts.clock.now()
  await writeDomain(parts.db, domain.id, { watchedSince: now, nextCheckAt: after(now, 60) })
}
