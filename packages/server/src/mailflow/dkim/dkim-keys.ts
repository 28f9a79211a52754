import type { DkimKeyStage } from '@gatehouse/contract/directory/domains'
import type { DomainKeys, PublishedKey } from '../../directory/domains/dns/domain-keys.ts'
import { sameKey } from '../../directory/domains/dns/mail-records.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import { dkimMailJob } from './dkim-mail.ts'
import type { DkimSettings } from './dkim-settings.ts'
import {
  correctTimes,
  holdKeyDomain,
  insertKey,
  type KeyDomain,
  moveKey,
  noteRecords,
  readKeyDomain,
  readKeys,
  type StoredKey,
} from './dkim-store.ts'
import { type DkimAlgorithm, type DkimKeyPair, dkimAlgorithms, generateDkimKeyPair } from './key-pair.ts'
import { keyRecordName, keyText } from './key-record.ts'
import { planRotation, publishedKeys, type RotationSettings, type RotationStep } from './rotation.ts'
import { newSelector } from './selector.ts'

/** Purpose under which private keys are sealed. */
export const dkimKeyPurpose = 'dkim key'

export interface DkimKeysParts {
  readonly config: Pick<HostingConfig, 'mailSetup'> & DkimSettings
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

const stages = { published: 'new', active: 'signing', retiring: 'old', retired: 'old' } as const
const stageOrder: readonly DkimKeyStage[] = ['signing', 'new', 'old']

type Found = Readonly<Record<string, readonly string[] | null>>

/** The DKIM keys of domains: created, published, used and replaced. */
export class DkimKeys implements DomainKeys {
  readonly #config: DkimKeysParts['config']
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets

  constructor({ config, db, clock, secrets }: DkimKeysParts) {
    this.#config = config
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  /** False: all domains share a key with which other servers sign. */
  get areOwn(): boolean {
    return this.#config.mailSetup.dkim === null
  }

  get settings(): RotationSettings {
    return rotationSettings(this.#config.MAIL_DKIM_KEY_DAYS)
  }

  async published(domainIds: readonly number[]): Promise<ReadonlyMap<number, readonly PublishedKey[]>> {
    const keys = this.areOwn && domainIds.length > 0 ? await readKeys(this.#db, domainIds) : []
    const ownOf = (id: number) => keys.filter(({ domainId }) => domainId === id)
    return new Map(domainIds.map((id) => [id, toPublish(ownOf(id))]))
  }

  async noteFound(trx: Db, domainId: number, found: Found): Promise<void> {
    if (Object.keys(found).length === 0) return
    const keys = await readKeys(trx, [domainId])
    const answered = keys.filter(({ selector }) => found[selector] != null)
    const visible = answered.filter((key) => sameKey(found[key.selector] ?? [], keyText(key)))
    const selectors = (some: readonly StoredKey[]) => some.map(({ selector }) => selector)
    const seen = { answered: selectors(answered), visible: selectors(visible) }
    await noteRecords(trx, domainId, seen, this.#clock.now())
  }

  /** Looks up the records of keys that wait for them, then creates and moves keys as planned. */
  async maintain(dns: Pick<DnsClient, 'txt'>, domainId: number): Promise<void> {
    const domain = this.areOwn ? await readKeyDomain(this.#db, domainId) : undefined
    if (domain === undefined) return
    const keys = await readKeys(this.#db, [domainId])
    const found = await lookUp(dns, domain, keys)
    const planned = planRotation(keys, this.#clock.now(), this.settings)
    const pairs = await generateAll(
      planned.flatMap((step) => (step.kind === 'publish' ? [step.algorithm] : [])),
    )
    await this.#db.transaction().execute(async (trx) => {
      const held = await holdKeyDomain(trx, domainId)
      if (held === undefined) return
      await correctTimes(trx, domainId, this.#clock.now())
      await this.noteFound(trx, domainId, found)
      const current = await readKeys(trx, [domainId])
      await this.#apply(
        trx,
        held,
        current,
        planRotation(current, this.#clock.now(), this.settings),
        pairs,
        {},
      )
    })
  }

  /**
   * Creates the next keys now. Those in use stay until the new ones are visible. Returns false if new keys are
   * waiting to be published already.
   */
  async rotate(domainId: number, actor: Actor, comment?: string): Promise<boolean> {
    const pairs = await generateAll(dkimAlgorithms)
    return this.#db.transaction().execute(async (trx) => {
      const held = await holdKeyDomain(trx, domainId)
      if (held === undefined) return false
      const keys = await readKeys(trx, [domainId])
      const isWaiting = (algorithm: DkimAlgorithm) =>
        keys.some((key) => key.algorithm === algorithm && key.state === 'published')
      const wanted = dkimAlgorithms.filter((algorithm) => !isWaiting(algorithm))
      const steps = wanted.map((algorithm) => ({ kind: 'publish', algorithm }) as const)
      await this.#apply(trx, held, keys, steps, pairs, { actor, ...(comment !== undefined && { comment }) })
      return steps.length > 0
    })
  }

  async #apply(
    trx: Db,
    domain: KeyDomain,
    keys: readonly StoredKey[],
    steps: readonly RotationStep[],
    pairs: ReadonlyMap<DkimAlgorithm, DkimKeyPair>,
    by: { readonly actor?: Actor; readonly comment?: string },
  ): Promise<void> {
    const now = this.#clock.now()
    const used = new Set(keys.map(({ selector }) => selector))
    const published: string[] = []
    for (const step of steps) {
      if (step.kind === 'move') {
        await moveKey(trx, domain.id, step.selector, step.to, now)
        if (step.to !== 'retiring') await this.#log(trx, domain, events[step.to], [step.selector], by)
        continue
      }
      const pair = pairs.get(step.algorithm)
      // planned since the keys were read; the next run creates it
      if (pair === undefined) continue
      const selector = newSelector(now, step.algorithm, used)
      used.add(selector)
      published.push(selector)
      const { algorithm, publicKey } = pair
      const privateKey = this.#secrets.encrypt(dkimKeyPurpose, pair.privateKey)
      await insertKey(trx, { domainId: domain.id, selector, algorithm, publicKey, privateKey }, now)
    }
    if (published.length === 0) return
    await this.#log(trx, domain, events.published, published, by)
    // the owner sees the first keys when setting up the domain
    if (keys.some(({ state }) => state === 'active')) {
      await enqueueAll(trx, dkimMailJob, [{ payload: { id: domain.id }, key: `dkim:mail:${domain.id}` }])
    }
  }

  async #log(
    trx: Db,
    { id, tenantId }: KeyDomain,
    event: string,
    selectors: readonly string[],
    { actor = {}, comment }: { readonly actor?: Actor; readonly comment?: string },
  ): Promise<void> {
    const why = comment === undefined ? {} : { comment }
    const data = { after: { selector: selectors.join(', ') } }
    await audit(trx, this.#clock, {
      tenantId,
      objectType: 'domain',
      objectId: id,
      event,
      actor,
      ...why,
      data,
    })
  }
}

const events = {
  published: 'domain.dkim-created',
  active: 'domain.dkim-activated',
  retired: 'domain.dkim-removed',
} as const

/** Times of a rotation: answers of the DNS are kept for at most a day, and mail is retried for five days. */
export function rotationSettings(keyDays: number): RotationSettings {
  return { keyLife: keyDays * day, ttl: day, retryTime: 5 * day }
}

/** Returns the keys whose records must be in the DNS, in display order. */
export function toPublish(keys: readonly StoredKey[]): PublishedKey[] {
  const shown = publishedKeys(keys).map((key) => ({
    selector: key.selector,
    algorithm: key.algorithm,
    stage: stages[key.state],
    text: keyText(key),
  }))
  const rank = (key: PublishedKey) =>
    dkimAlgorithms.indexOf(key.algorithm) * 10 + stageOrder.indexOf(key.stage)
  return shown.toSorted((one, other) => rank(one) - rank(other))
}

async function lookUp(
  dns: Pick<DnsClient, 'txt'>,
  { namespace }: KeyDomain,
  keys: readonly StoredKey[],
): Promise<Found> {
  const waiting = keys.filter(({ state }) => state === 'published')
  const entries = waiting.map(async ({ selector }) => {
    const answer = await dns.txt(keyRecordName(namespace, selector))
    const values = answer.kind === 'found' ? answer.values : answer.kind === 'none' ? [] : null
    return [selector, values] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function generateAll(
  algorithms: readonly DkimAlgorithm[],
): Promise<ReadonlyMap<DkimAlgorithm, DkimKeyPair>> {
  const pairs = await Promise.all(algorithms.map(generateDkimKeyPair))
  return new Map(pairs.map((pair) => [pair.algorithm, pair]))
}
