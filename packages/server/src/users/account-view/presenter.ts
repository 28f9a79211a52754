import type { UserDetail, UserInfo } from '@gatehouse/contract/directory/users'
import type { Language } from '@gatehouse/contract/language'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { lastingAnswer } from '../../platform/http/bodies/serializer.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { userRights } from '../policy.ts'
import type { AccountView } from './account-view.ts'
import { ownedUser } from './account-view.ts'
import { tenantSkuTitles } from './account-view-store.ts'
import type { Features } from './permissions.ts'
import { type PresentFacts, presentUser } from './present.ts'
import { presentDetail } from './present-detail.ts'

/** Settings that determine what a user sees. */
export type PresenterConfig = FeatureSettings & {
  /** The payment provider; undefined: no payments. */
  readonly paymentProvider: string | undefined
  readonly takesPayments: boolean
}

/** Cache time in seconds: a tenant's SKUs change only with its catalogue. */
const freshness = 30

interface Presented {
  readonly language: Language
  readonly tenantSkus: ReadonlySet<string>
  readonly user: UserInfo
  /** Included on the user's own page. */
  own?: UserDetail
}

/** Collects what presenting a user depends on: features, time, language and the tenant's catalogue. */
export class UserPresenter {
  readonly #config: PresenterConfig
  readonly #db: Db
  readonly #clock: Clock
  readonly #features: Features
  readonly #presented = new WeakMap<AccountView, Presented>()
  readonly #tenantSkus = new Map<number, { titles: Promise<ReadonlySet<string>>; until: number }>()

  constructor(config: PresenterConfig, db: Db, clock: Clock) {
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
      payments: config.takesPayments,
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
      paymentProvider: this.#config.paymentProvider ?? '',
      tenantSkus: await this.#skusOf(tenantId),
    }
  }

  /**
   * The user object in the API. While the view is cached and setup is complete, so that nothing depends on time,
   * the object is created once per language.
   */
  async user(view: AccountView, request: Pick<RequestFacts, 't' | 'language'>): Promise<UserInfo> {
    return (await this.#present(view, request)).user
  }

  /** Returns the user with the fields of their page and the reader's permissions. */
  async detail(
    view: AccountView,
    reader: Principal,
    request: Pick<RequestFacts, 't' | 'language'>,
  ): Promise<UserDetail> {
    const presented = await this.#present(view, request)
    // impersonating staff and applications have fewer rights
    const isSelf = reader.userId === view.user.id && borrowedCaller(reader) === undefined
    if (presented.own !== undefined && isSelf) return presented.own
    const rights = userRights(reader, ownedUser(view), this.#features.subscriptions)
    const detail = presentDetail(presented.user, view, rights)
    if (isSelf) presented.own = lastingIfDone(detail)
    return detail
  }

  async #present(view: AccountView, request: Pick<RequestFacts, 't' | 'language'>): Promise<Presented> {
    const facts = await this.facts(request, view.user.tenantId)
    const known = this.#presented.get(view)
    if (known?.language === request.language && known.tenantSkus === facts.tenantSkus) return known
    const user = lastingIfDone(presentUser(view, facts))
    const presented = { language: request.language, tenantSkus: facts.tenantSkus, user }
    if (user.statusInfo.isDone) this.#presented.set(view, presented)
    return presented
  }

  #skusOf(tenantId: number): Promise<ReadonlySet<string>> {
    const now = this.#clock.now().getTime()
    const cached = this.#tenantSkus.get(tenantId)
    if (cached !== undefined && cached.until > now) return cached.titles
    const titles = tenantSkuTitles(this.#db, tenantId)
    this.#tenantSkus.set(tenantId, { titles, until: now + freshness * 1000 })
    // don't cache failures
    titles.catch(() => this.#tenantSkus.delete(tenantId))
    return titles
  }
}

/** Whether setup is complete, after which the response no longer depends on time. */
function lastingIfDone<T extends UserInfo>(user: T): T {
  return user.statusInfo.isDone ? lastingAnswer(user) : user
}
