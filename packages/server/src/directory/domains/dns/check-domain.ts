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
import { enqueueDomainKeys, keysOf } from './domain-keys.ts'
import { findRecords } from './find-records.ts'
import { hasOurMailServer, keySlot, wantedRecords } from './mail-records.ts'
import { lookForProof, type Proof } from './ownership.ts'

/** Result of the DNS lookups of a domain. Undefined: not looked up, or no answer. */
interface Sight {
  readonly exists?: boolean | undefined
  readonly proof?: Proof
  readonly records?: DnsFound
}

/** Checks whether the name exists unless that is already known. Returns the updated domain. */
export async function checkExistence(parts: DomainChecks, domain: Domain): Promise<Domain> {
  if (hasBit(domain.status, domainStatus.verified)) return domain
  return note(parts, domain, { exists: await parts.dns.exists(domain.namespace) }, {})
}

/** Checks the proof of ownership. A confirmed domain stays confirmed. Returns the updated domain. */
export async function checkOwnership(parts: DomainChecks, domain: Domain, by: Actor): Promise<Domain> {
  if (isConfirmed(domain)) return domain
  return note(parts, domain, { proof: await lookForProof(parts.dns, domain) }, by)
}

/** Checks the DNS records required for mail. Returns the updated domain. */
export async function checkRecords(parts: DomainChecks, domain: Domain): Promise<Domain> {
  const records = await lookUpRecords(parts, domain)
  await requireKeys(parts, domain)
  return note(parts, domain, { records }, {})
}

/** A domain from before there were keys gets them when someone looks at its records, not only in the next round. */
async function requireKeys({ db, config, domainKeys }: DomainChecks, domain: Domain): Promise<void> {
  if (config.mailSetup.dkim !== null || isPublicDomain(domain)) return
  if ((await keysOf(domainKeys, domain)).length === 0) await enqueueDomainKeys(db, [domain.id])
}

/**
 * Runs all DNS checks in the background and schedules the next one. `chance` from 0 to 1 adds jitter to the
 * date.
 */
export async function checkInBackground(parts: DomainChecks, domain: Domain, chance: number): Promise<void> {
  if (isPublicDomain(domain)) return
  const [exists, proof, records] = await Promise.all([
    hasBit(domain.status, domainStatus.verified) ? true : parts.dns.exists(domain.namespace),
    lookForProof(parts.dns, domain),
    lookUpRecords(parts, domain),
  ])
  await parts.db.transaction().execute(async (trx) => {
    const now = await noteIn(trx, parts, domain, { exists, proof, records }, {})
    if (now === undefined) return
    if (isConfirmed(now)) await noteMissing(trx, parts, now, { proof, records })
    await setNextLook(trx, parts, now, chance)
  })
}

async function lookUpRecords({ dns, config, domainKeys }: DomainChecks, domain: Domain): Promise<DnsFound> {
  const keys = await keysOf(domainKeys, domain)
  return findRecords(dns, wantedRecords(domain.namespace, config.mailSetup, keys))
}

async function note(parts: DomainChecks, domain: Domain, sight: Sight, by: Actor): Promise<Domain> {
  return (await parts.db.transaction().execute((trx) => noteIn(trx, parts, domain, sight, by))) ?? domain
}

/**
 * Stores the results of a check. The lookups ran without a lock, so the results only apply if the domain was
 * not deleted and did not get another proof (by changing hands) in the meantime.
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
    await parts.domainKeys.noteFound(trx, domain.id, keysIn(sight.records))
  }
  if (verified || confirmed) await provision(trx, { kind: 'domain', id: domain.id })
  return holdDomain(trx, domain.id)
}

/** Returns what was found for the domain's own keys, by selector. */
function keysIn(found: DnsFound): Record<string, string[] | null> {
  const prefix = keySlot('')
  const slots = Object.entries(found).filter(([slot]) => slot.startsWith(prefix))
  return Object.fromEntries(slots.map(([slot, values]) => [slot.slice(prefix.length), values ?? null]))
}

/** A missing name has to be registered by its owner. If there was no answer, the next check may find out. */
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
  await enqueueDomainKeys(trx, [domain.id])
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
  // the user who requested the check sees the result on screen
  const isInformed = by.userId !== undefined && isController(by.userId, ownedDomain(domain))
  if (!isInformed) await jobs.enqueue(trx, domainMailJob, { id: domain.id, kind: 'confirmed' })
}

/**
 * A confirmed domain keeps working if its proof and its mail servers are missing: it may be an outage or a
 * move. If it lasts, the owner is notified once. Unanswered queries are ignored.
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

/** Restarts the background checks of a domain if they had ended, because a user is working on it. */
export async function watchAgain(parts: Pick<DomainChecks, 'db' | 'clock'>, domain: Domain): Promise<void> {
  if (domain.nextCheckAt !== null || isConfirmed(domain) || isPublicDomain(domain)) return
  const now = parts.clock.now()
  await writeDomain(parts.db, domain.id, { watchedSince: now, nextCheckAt: after(now, 60) })
}
