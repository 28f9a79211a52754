import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/api.ts'
import type { Features } from './permissions.ts'
import type { PresentFacts } from './present.ts'

/** SKUs of a tenant change with its catalogue only; answers may lag behind by this many seconds. */
const freshness = 30

/** Gathers what presenting a user depends on: switches, time, language and the tenant's catalogue. */
export class UserPresenter {
  readonly #config: Config
  readonly #db: Db
  readonly #clock: Clock
  readonly #features: Features
  readonly #tenantSkus = new Map<number, { titles: Promise<ReadonlySet<string>>; until: number }>()

  constructor(config: Config, db: Db, clock: Clock) {
    this.#config = config
    this.#db = db
    this.#clock = clock
    this.#features = {
      companionapps: config.APP_WITH_COMPANION_APP,
      delegation: config.APP_WITH_DELEGATION,
      distlists: config.APP_WITH_DISTLISTS,
      files: config.APP_WITH_FILES,
      folders: config.APP_WITH_SHARED_FOLDERS,
      loginAs: config.APP_WITH_LOGINAS,
      mailfilter: config.APP_WITH_MAILFILTER,
      resources: config.APP_WITH_RESOURCES,
      rooms: config.APP_WITH_MEET,
      subscriptions: config.APP_WITH_SUBSCRIPTIONS,
      wallets: config.APP_WITH_WALLET,
    }
  }

  async facts(request: Pick<RequestFacts, 't' | 'language'>, tenantId: number): Promise<PresentFacts> {
    return {
      now: this.#clock.now(),
      t: request.t,
      language: request.language,
      features: this.#features,
      withLdap: this.#config.APP_LDAP,
      paymentProvider: this.#config.PAYMENT_PROVIDER,
      tenantSkus: await this.#skusOf(tenantId),
    }
  }

  #skusOf(tenantId: number): Promise<ReadonlySet<string>> {
    const now = this.#clock.now().getTime()
    const cached = this.#tenantSkus.get(tenantId)
    if (cached !== undefined && cached.until > now) return cached.titles
    const titles = this.#db
      .selectFrom('skus')
      .select('title')
      .where('tenant_id', '=', tenantId)
      .execute()
      .then((rows) => new Set(rows.map((row) => row.title)))
    this.#tenantSkus.set(tenantId, { titles, until: now + freshness * 1000 })
    // a failed read must not be remembered
    titles.catch(() => this.#tenantSkus.delete(tenantId))
    return titles
  }
}
