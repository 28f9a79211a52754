import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { handleAccountDeletion } from '../account-lifecycle/delete-user.ts'
import { handleAccountErasure } from '../account-lifecycle/erase-account.ts'
import { ForgetDeleted } from '../account-lifecycle/forget-deleted.ts'
import { serveLockdown } from '../account-lifecycle/lockdown/routes.ts'
import { serveAccountLifecycle } from '../account-lifecycle/routes.ts'
import { handleAutoPayment } from '../billing/auto-payment/handle-auto-payment.ts'
import type { NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import type { AutoPaymentParts } from '../billing/auto-payment/parts.ts'
import { serveAutoPayment } from '../billing/auto-payment/routes.ts'
import { newAccountMandates } from '../billing/auto-payment/set-up.ts'
import { handleBilling } from '../billing/billing-jobs.ts'
import { renewRates } from '../billing/exchange/rates-source.ts'
import { tellCeiling, tellRefusedOrders } from '../billing/life-cycle/ceiling-notice.ts'
import { creditAtEnd } from '../billing/life-cycle/credit-at-end.ts'
import { handlePriceChangeMails } from '../billing/life-cycle/price-change-mail.ts'
import { paymentFollowers } from '../billing/payment-followers.ts'
import { servePaymentPreview } from '../billing/payment-preview/routes.ts'
import { composePayments, type Payments } from '../billing/payments/compose-payments.ts'
import { measurePayments } from '../billing/payments/payment-numbers.ts'
import { servePayments } from '../billing/payments/routes.ts'
import { serveSandbox } from '../billing/payments/sandbox/sandbox-routes.ts'
import { servePaymentWebhooks } from '../billing/payments/settlement/webhook.ts'
import { companyOf } from '../billing/receipts/company.ts'
import { handleReceipts } from '../billing/receipts/issue-receipts.ts'
import { serveReceipts } from '../billing/receipts/routes.ts'
import { serveReferrals } from '../billing/referrals/routes.ts'
import { serveWallets } from '../billing/routes.ts'
import { serveVatReports } from '../billing/vat/vat-report-routes.ts'
import { batchWork } from '../bulk/bulk-work.ts'
import { serveExports } from '../bulk/export-routes.ts'
import { handleInvitationMails } from '../bulk/import/invitation-mail.ts'
import { serveImports } from '../bulk/import-routes.ts'
import { allActs, allImporters } from '../bulk/kinds.ts'
import { PurgeBatches } from '../bulk/purge-batches.ts'
import { serveBulk } from '../bulk/routes.ts'
import { handleBatches } from '../bulk/work-batch.ts'
import { BrandPages } from '../content/brand-pages.ts'
import { serveCompanionPage } from '../content/companion-page.ts'
import { mailTheme } from '../content/mail-theme.ts'
import { companionEntry, PageHost, pageAssets } from '../content/page-host.ts'
import { serveContent } from '../content/routes.ts'
import { servePages } from '../content/serve-pages.ts'
import { handleSupportRequests } from '../content/support-request.ts'
import { loadTheme, loadThemes } from '../content/theme.ts'
import { handleDomainChecks } from '../directory/domains/dns/domain-checks.ts'
import { domainAdapter } from '../directory/domains/domain-adapter.ts'
import { handleDomainMails } from '../directory/domains/domain-mails.ts'
import { ReleaseDomains } from '../directory/domains/release-store.ts'
import { serveDomains } from '../directory/domains/routes.ts'
import { serveFolders } from '../directory/folders/routes.ts'
import { serveGroups } from '../directory/groups/routes.ts'
import { objectAdapters } from '../directory/objects/object-adapters.ts'
import { PurgeObjects } from '../directory/objects/purge-objects.ts'
import { handleOfferMails, PurgeOffers } from '../directory/owners/offer-mail.ts'
import { serveOwners } from '../directory/owners/routes.ts'
import { serveResources } from '../directory/resources/routes.ts'
import { serveAccounts } from '../directory/users/routes.ts'
import { handleFiles } from '../files/file-jobs.ts'
import { serveFiles } from '../files/serve-files.ts'
import { FileKeys } from '../files/storage/file-keys.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
import { openStore } from '../files/storage/open-store.ts'
import { Thumbnailer } from '../files/thumbnails/thumbnailer.ts'
import { serveTus } from '../files/tus/serve-tus.ts'
import { Uploads } from '../files/uploads/uploads.ts'
import { PurgeAppPasswords } from '../mail-access/app-passwords/app-passwords.ts'
import { serveAppPasswords } from '../mail-access/app-passwords/routes.ts'
import { AppPasswordHasher } from '../mail-access/app-passwords/secret.ts'
import { serveDiscovery } from '../mail-access/discovery/routes.ts'
import { mountMailAuth } from '../mail-access/sign-in/compose-mail-auth.ts'
import { PurgePasses } from '../mail-access/sign-in/purge-passes.ts'
import {
  composeMeetings,
  type Meetings,
  measureMeetings,
  PurgeMeetings,
} from '../meetings/compose-meetings.ts'
import { PurgeRooms } from '../meetings/rooms/end-room.ts'
import { serveRooms } from '../meetings/routes.ts'
import { serveBrowser } from '../oauth/authorization/browser-routes.ts'
import { revokeGrant } from '../oauth/authorization/grant-store.ts'
import { serveClients } from '../oauth/clients/client-routes.ts'
import { mountProvider } from '../oauth/library/mount.ts'
import { OpenIdProvider } from '../oauth/library/provider.ts'
import { userOfMailToken } from '../oauth/mail/mail-store.ts'
import { serveWebmailLogin } from '../oauth/mail/webmail-login.ts'
import { handleOAuth } from '../oauth/oauth-jobs.ts'
import { serveOAuth } from '../oauth/routes.ts'
import { authenticateThirdParty } from '../oauth/tokens/access-tokens.ts'
import { serveOperations } from '../operator/operations/routes.ts'
import { sealedColumns } from '../operator/sealed-columns.ts'
import type { Config } from '../operator/settings/config.ts'
import { Hasher } from '../passwords/hasher.ts'
import { systemPolicy } from '../passwords/new-password.ts'
import { ResetCodes } from '../passwords/reset-code.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { measureCountries } from '../platform/country-database/measure-countries.ts'
import { handleCountries } from '../platform/country-database/renew-countries.ts'
import { type Database, type Db, openDatabase } from '../platform/db/database.ts'
import type { WatchedFolder } from '../platform/disk-space.ts'
import { DnsClient } from '../platform/dns/dns-client.ts'
import { EventCounter } from '../platform/event-counter.ts'
import { serveHealth } from '../platform/health.ts'
import { Api } from '../platform/http/api.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Drain } from '../platform/http/connections/drain.ts'
import { Upgrades } from '../platform/http/connections/upgrades.ts'
import { contentHost } from '../platform/http/content-origin.ts'
import { NotFound } from '../platform/http/errors.ts'
import { Idempotency } from '../platform/http/idempotency/idempotency.ts'
import { serveOpenApi } from '../platform/http/openapi.ts'
import { createHttpServer, type LogTarget } from '../platform/http/server.ts'
import { openSecrets } from '../platform/installation-keys/open-secrets.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import { Locator } from '../platform/location.ts'
import { MailLog } from '../platform/mailer/mail-log.ts'
import { createMailer, type Mailer } from '../platform/mailer/mailer.ts'
import { serveOutbox } from '../platform/mailer/outbox-page.ts'
import { Post } from '../platform/mailer/post.ts'
import { serveMetrics } from '../platform/metrics.ts'
import { schedulePurge } from '../platform/purge.ts'
import type { Secrets } from '../platform/secrets.ts'
import { Throttle } from '../platform/throttle/throttle.ts'
import type { GroupwareBackend } from '../provisioning/backend.ts'
import { handleDelegations } from '../provisioning/delegations.ts'
import { NullBackend } from '../provisioning/null-backend.ts'
import { handleProvisioning } from '../provisioning/provisioning.ts'
import { userAdapter } from '../provisioning/user-adapter.ts'
import { serveSearch } from '../search/routes.ts'
import { serveAttempts } from '../sessions/companions/attempt-routes.ts'
import { CompanionWatch } from '../sessions/companions/companion-watch.ts'
import { PurgeCompanions } from '../sessions/companions/purge-companions.ts'
import { handlePush } from '../sessions/companions/push/push.ts'
import { pushKeys } from '../sessions/companions/push/push-keys.ts'
import { serveCompanions } from '../sessions/companions/routes.ts'
import { handleUndecided } from '../sessions/companions/undecided.ts'
import { serveOwnSessions } from '../sessions/own-sessions/own-session-routes.ts'
import { handleResetMails } from '../sessions/password-reset/reset-mail.ts'
import { servePasswords } from '../sessions/password-reset/routes.ts'
import { serveSessions } from '../sessions/routes.ts'
import { Factors } from '../sessions/second-factor/factors.ts'
import { PasskeyChallenges } from '../sessions/second-factor/passkey-challenges.ts'
import { Passkeys } from '../sessions/second-factor/passkeys.ts'
import { RecoveryCodes } from '../sessions/second-factor/recovery-codes.ts'
import { relyingParty } from '../sessions/second-factor/relying-party.ts'
import { serveFactors } from '../sessions/second-factor/routes.ts'
import { TotpFactors } from '../sessions/second-factor/totp.ts'
import { handleSecurityNotices, tellSecurity } from '../sessions/security-notice.ts'
import { sessionResponse } from '../sessions/session-response.ts'
import { SignInDevices } from '../sessions/sign-in/sign-in-device.ts'
import { SignInLog } from '../sessions/sign-in/sign-in-log.ts'
import { StepUp } from '../sessions/step-up/step-up.ts'
import { SessionUse } from '../sessions/tokens/session-use.ts'
import type { TokenPair } from '../sessions/tokens/token-facts.ts'
import { Tokens } from '../sessions/tokens/tokens.ts'
import { readUserAgent } from '../sessions/user-agent.ts'
import { serveSignup } from '../signup/routes.ts'
import { SignupCodes } from '../signup/signup-code.ts'
import { handleSignupMails } from '../signup/signup-mail.ts'
import { handleFirstPasswordMails } from '../staff/creation/first-password-mail.ts'
import { serveCreation } from '../staff/creation/routes.ts'
import { handleSignupInvitations } from '../staff/invitations/invitation-mail.ts'
import { serveInvitations } from '../staff/invitations/routes.ts'
import { serveStaffOwners } from '../staff/owners/routes.ts'
import { serveStaff } from '../staff/routes.ts'
import { measureBusiness } from '../staff/statistics/business-numbers.ts'
import { handleStats } from '../staff/statistics/daily-stats.ts'
import { serveStats } from '../staff/statistics/routes.ts'
import { serveStaffSubscriptions } from '../staff/subscriptions/routes.ts'
import { serveTenantOffer } from '../staff/tenant-offer/routes.ts'
import { serveTenants } from '../staff/tenants/routes.ts'
import { servePriceChanges } from '../subscriptions/price-changes/routes.ts'
import { handlePriceChanges } from '../subscriptions/price-changes/work.ts'
import { serveSubscriptions } from '../subscriptions/routes.ts'
import { Brands } from '../tenants/brand.ts'
import { addressRules } from '../tenants/tenant-address.ts'
import { siteOf } from '../tenants/tenant-site.ts'
import { AccountViews } from '../users/account-view/account-views.ts'
import { UserPresenter } from '../users/account-view/presenter.ts'
import { provisionWaitingDelegations } from '../users/delegation/delegation-jobs.ts'
import { serveDelegations } from '../users/delegation/routes.ts'
import { Retention } from '../users/retention.ts'
import { handlePasswordReminders } from '../users/settings/password-reminder.ts'
import { serveSettings } from '../users/settings/routes.ts'
import { secondFactorRules } from '../users/settings/second-factor-policy.ts'

/** Where the parts of an installation lie on disk. */
export interface Folders {
  /** Themes, each a folder. */
  readonly themes: string
  /** The built web application; absent: the API alone, as tests use it. */
  readonly web?: string
}

export interface AppOptions {
  readonly config: Config
  /** Address of a database that `prepareDatabase` has made ready. */
  readonly databaseUrl: string
  readonly folders: Folders
  readonly clock?: Clock
  readonly backend?: GroupwareBackend
  /** Hashes passwords at another cost; for tests. */
  readonly hasher?: Hasher
  /** Auto-payment of new accounts; for tests. */
  readonly mandates?: NewAccountMandates
  /** Holds every answer against the contract; for tests. */
  readonly checkAnswers?: boolean
  /** Takes the log instead of the standard output; for tests. */
  readonly logTo?: LogTarget
}

/** A composed server: not yet listening, not yet working on jobs. */
export interface App extends AsyncDisposable {
  readonly fastify: FastifyInstance
  readonly drain: Drain
  readonly api: Api
  readonly database: Database
  readonly jobs: Jobs
  readonly mailer: Mailer
  readonly hasher: Hasher
  readonly secrets: Secrets
  readonly payments: Payments
  readonly autoPayment: AutoPaymentParts
  readonly watch: CompanionWatch
  /** Counts what is refused; settled, it has written everything down. */
  readonly events: EventCounter
  readonly signIns: SignInLog
  readonly oauth: OpenIdProvider
  readonly files: FileStorage
  readonly meetings: Meetings
  /** Finishes requests and jobs that run, then lets go of everything. */
  close(): Promise<void>
}

/** Milliseconds that requests get to finish once the server takes no more; then they are cut off. */
const longestRequest = 10_000

/** Folders that must have room: data, and files where they are kept elsewhere on this machine. */
function writtenFolders(config: Config): WatchedFolder[] {
  const data = { name: 'data', path: config.dataDir }
  const files = config.FILESYSTEM_DISK === 'local' ? config.FILES_FOLDER : undefined
  return files === undefined ? [data] : [data, { name: 'files', path: files }]
}

/** Puts the parts together. The one place that knows them all. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock = systemClock, backend = new NullBackend() } = options
  const { fastify, facts } = await createHttpServer(config, options.checkAnswers ?? false, options.logTo)
  const log = fastify.log
  const drain = new Drain(fastify)
  const database = openDatabase(options.databaseUrl, config.DATABASE_POOL, (error) =>
    log.error({ err: error }, 'idle database connection failed'),
  )
  const { db, pool } = database
  const secrets = await openSecrets(db, config, sealedColumns)
  const themes = await loadThemes(options.folders.themes)
  // what is wrong with the chosen one is said by name
  const theme =
    themes.get(config.APP_THEME) ?? (await loadTheme(join(options.folders.themes, config.APP_THEME)))
  const brands = new Brands(db, config, themes.keys())
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    outboxFolder: join(config.dataDir, 'outbox'),
    from: config.mailFrom,
    ...(config.MAIL_REPLYTO_ADDRESS !== undefined && { replyTo: { address: config.MAIL_REPLYTO_ADDRESS } }),
    clock,
  })
  const site = { name: config.APP_NAME, link: (path: string) => `${config.APP_URL}${path}` }
  const mailLog = new MailLog(db, clock)
  const mailLook = { publicUrl: config.APP_URL, companyLine: config.COMPANY_FOOTER }
  const mailThemeOf = (name: string) => {
    const own = themes.get(name)
    return own && mailTheme(own, mailLook)
  }
  const post = new Post(mailer, site, mailTheme(theme, mailLook), {
    log: mailLog,
    siteOf: (whose) => siteOf(db, whose, mailThemeOf),
  })

  const jobs = new Jobs(pool, log)
  const throttle = new Throttle(pool, clock)
  const hasher = options.hasher ?? new Hasher()
  const locator = await Locator.open(db, config.GEO_DATABASE)
  fastify.addHook('preClose', locator.watch(log))
  const life = {
    access: config.OAUTH_TOKEN_EXPIRY,
    refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY,
    session: config.SESSION_LIFETIME,
  }
  const rules = secondFactorRules(config)
  const devices = new SignInDevices(db, clock, locator, (trx, userId, { ip, userAgent }) =>
    tellSecurity(trx, { clock }, { userId, kind: 'new-device', ip, device: readUserAgent(userAgent) }),
  )
  const tokens = new Tokens(db, pool, clock, life, { devices, rules, secrets })
  const sessionUse = new SessionUse(db, clock, (error) =>
    log.error({ err: error }, 'the last use of sessions could not be noted'),
  )
  const totp = new TotpFactors(clock, secrets, config.APP_NAME)
  const recovery = new RecoveryCodes(clock, secrets)
  const challenges = new PasskeyChallenges(db, clock)
  const passkeys = new Passkeys({ db, clock, secrets, challenges, party: relyingParty(config) })
  const factors = new Factors({ db, clock, totp, recovery, passkeys })
  const stepUp = new StepUp({ db, clock, hasher, throttle, tokens, factors, devices })
  const resetCodes = new ResetCodes(db, clock, secrets, config.VERIFICATION_CODE_EXPIRY)
  const signupCodes = new SignupCodes(db, clock, secrets, config.SIGNUP_CODE_EXPIRY)
  const presenter = new UserPresenter(config, db, clock)
  const views = new AccountViews(database, clock)
  const idempotency = new Idempotency(db, clock, secrets)
  const events = new EventCounter(db, log)
  const signIns = new SignInLog({ db, clock, events })
  const oauth = new OpenIdProvider({ config, db, clock, secrets, log, signIns })
  const answer = (userId: number, pair: TokenPair | Promise<TokenPair>, request: RequestFacts) =>
    sessionResponse(views, userId, pair, (tenantId) => presenter.facts(request, tenantId))

  const validHours = config.VERIFICATION_CODE_EXPIRY
  const withLdap = config.APP_LDAP
  const onReady = (trx: Db, id: number) => provisionWaitingDelegations(jobs, trx, id)
  handleProvisioning(jobs, { db, clock }, [
    userAdapter({ backend, clock, withLdap, onReady }),
    domainAdapter({ backend, clock, withLdap }),
    ...objectAdapters({ backend, clock, withLdap }),
  ])
  handleDelegations(jobs, db, backend)
  handleAccountDeletion({ db, clock, jobs, tokens })
  handleAccountErasure({ db, clock, jobs })
  handleSignupMails(jobs, db, signupCodes, post)
  handleResetMails(jobs, { db, clock, codes: resetCodes, locator, post, validHours })
  handleSecurityNotices(jobs, { db, locator, post })
  handleOfferMails(jobs, { db, clock, secrets, post })
  handlePasswordReminders(jobs, { db, clock, post })
  const companionKeys = pushKeys(secrets)
  const watch = new CompanionWatch(pool, clock, log)
  handlePush(jobs, {
    ...{ db, clock, log, secrets, locator },
    keys: companionKeys,
    contact: `mailto:${config.mailFrom.address}`,
    mayBePrivate: config.PUSH_TO_PRIVATE,
  })
  handleUndecided(jobs, db, clock)
  fastify.addHook('preClose', () => watch.stop())
  const billing = { db, clock, jobs, withLdap: config.APP_LDAP }
  handleBilling(jobs, { ...billing, post, log, isOffered: config.APP_WITH_WALLET })
  handlePriceChanges(jobs, { db, clock })
  handlePriceChangeMails(jobs, { db, post, withLdap: config.APP_LDAP })
  const composed = composePayments({
    config,
    ...{ db, clock, jobs, log, secrets, fastify },
    followers: paymentFollowers({ clock, jobs, config }),
  })
  const { payments, methods, sandbox } = composed
  const autoPayment = { ...payments, config }
  handleAutoPayment(jobs, autoPayment)
  const storage: FileStorage = {
    ...{ db, clock },
    store: await openStore(config, db),
    keys: new FileKeys(db, clock, secrets),
  }
  const uploads = new Uploads({ ...storage, settings: config, secrets })
  fastify.addHook('preClose', () => uploads.stopAll())
  const thumbnailer = new Thumbnailer(storage)
  handleFiles(jobs, { ...storage, post }, config)
  const company = companyOf(config)
  handleOAuth(jobs, { keys: oauth.keys, days: config.OAUTH_KEY_DAYS })
  handleStats(jobs, { db, clock })
  handleSignupInvitations(jobs, { db, clock, post })
  handleReceipts(jobs, { db, clock, company })
  renewRates(jobs, db, config.EXCHANGE_RATES)
  handleCountries(jobs, { db, clock, config }, () => locator.refresh())
  handleSupportRequests(jobs, post, config.SUPPORT_EMAIL)
  const dns = new DnsClient({ servers: config.DNS_SERVERS, timeout: config.DNS_TIMEOUT })
  handleDomainChecks({ config, db, clock, jobs, dns })
  handleDomainMails(jobs, { db, post })
  const retention = new Retention(clock, config.RETENTION_DAYS)
  const forget = new ForgetDeleted(db, clock, retention)
  const purgeObjects = new PurgeObjects(db, clock, config.RETENTION_DAYS)
  const acts = allActs({ config, db, clock, jobs, tokens, presenter, retention })
  const importers = allImporters({
    config,
    db,
    clock,
    jobs,
    hasher,
    tokens,
    locator,
    secrets,
    presenter,
    codes: resetCodes,
    systemPolicy: systemPolicy(config),
  })
  handleBatches({
    db,
    clock,
    jobs,
    log,
    workOf: batchWork(acts, importers),
    onCeiling: (trx, refusal) => tellCeiling(trx, billing, refusal),
  })
  handleInvitationMails(jobs, { db, codes: resetCodes, post })
  handleFirstPasswordMails(jobs, { db, codes: resetCodes, post })
  schedulePurge(jobs, [
    tokens,
    challenges,
    mailLog,
    resetCodes,
    signupCodes,
    throttle,
    idempotency,
    ...oauth.purgeable,
    forget,
    purgeObjects,
    devices,
    new PurgeAppPasswords(db, clock),
    new ReleaseDomains(db, clock, config.RETENTION_DAYS),
    new PurgeBatches(db, clock),
    new PurgeCompanions(db, clock),
    new PurgePasses(db, clock),
    new PurgeRooms(db, clock, config.RETENTION_DAYS),
    new PurgeMeetings(db, clock),
    new PurgeOffers(db, clock),
  ])

  await serveOpenApi(fastify, config.APP_NAME, config.APP_URL)
  const folders = writtenFolders(config)
  const registry = serveMetrics({ fastify, pool, facts, allowed: config.METRICS_ALLOW, folders })
  measurePayments(registry, payments)
  measureBusiness(registry, { db, clock })
  measureCountries(registry, clock, () => locator.builtAt)
  const meetings = composeMeetings({
    ...{ config, db, pool, clock, log, secrets, fastify },
    upgrades: new Upgrades(fastify, contentHost(config)),
  })
  measureMeetings(registry, meetings)
  const authenticate = async (token: string, ip: string) => {
    const principal = await tokens.authenticate(token)
    if (principal === undefined) return authenticateThirdParty(pool, clock, token)
    sessionUse.note(principal.sessionId, ip)
    return principal
  }
  const requireFresh = (principal: Principal) => stepUp.requireFresh(principal)
  const onForbidden = (principal: Principal, ip: string, call: string) =>
    signIns.forbidden(principal, ip, call)
  const api = new Api({ fastify, authenticate, requireFresh, onForbidden, idempotency, facts })
  const gate = { db, clock, jobs, watch, isOffered: config.APP_WITH_COMPANION_APP }
  const appPasswords = new AppPasswordHasher(secrets)
  tellRefusedOrders(fastify, billing)
  // calls are served in a plugin of their own so that the description of the API, which listens for
  // routes, is ready before them
  await fastify.register(async () => {
    const shared = {
      config,
      pool,
      db,
      clock,
      jobs,
      hasher,
      throttle,
      dns,
      devices,
      tokens,
      locator,
      factors,
      passkeys,
      stepUp,
      gate,
      signIns,
      presenter,
      views,
      answer,
      retention,
      secondFactorRules: rules,
    }
    serveSessions(api, { ...shared, revokeGrant })
    serveCompanions(api, { ...shared, secrets, pushKeys: companionKeys })
    serveAttempts(api, { ...shared, watch })
    serveFactors(api, { ...shared, totp, recovery })
    serveOwnSessions(api, shared)
    serveAppPasswords(api, { ...shared, hasher: appPasswords })
    serveLockdown(api, { ...shared, codes: resetCodes, systemPolicy: systemPolicy(config) })
    serveAccountLifecycle(api, shared)
    serveAccounts(api, { ...shared, codes: resetCodes, systemPolicy: systemPolicy(config) })
    serveSettings(api, { ...shared, systemPolicy: systemPolicy(config) })
    serveOAuth(api, { ...shared, secrets, provider: oauth })
    serveClients(api, { ...shared, secrets })
    serveWebmailLogin(api, { ...shared, secrets, provider: oauth })
    serveDelegations(api, shared)
    serveOwners(api, { ...shared, secrets })
    serveDomains(api, shared)
    serveSubscriptions(api, {
      ...shared,
      creditAtEnd: (walletId) => db.transaction().execute((trx) => creditAtEnd(trx, clock, walletId)),
    })
    serveWallets(api, shared)
    servePayments(api, { ...shared, payments, methods })
    serveAutoPayment(api, { ...shared, payments: autoPayment, methods })
    servePaymentPreview(api, { ...shared, payments: autoPayment, methods })
    const look = { accent: theme.colours.accent.light, mark: theme.mailMarkFile }
    serveReceipts(api, { ...shared, company, look })
    serveReferrals(api, shared)
    serveSearch(api, shared)
    serveGroups(api, shared)
    serveResources(api, shared)
    serveFolders(api, shared)
    serveRooms(api, { ...shared, ...meetings, secrets })
    servePriceChanges(api, shared)
    serveStaff(api, { ...shared, codes: resetCodes })
    serveCreation(api, { ...shared, codes: resetCodes })
    serveStaffSubscriptions(api, { ...shared, codes: resetCodes })
    serveStaffOwners(api, { ...shared, codes: resetCodes, secrets })
    serveStats(api, shared)
    serveOperations(api, shared)
    serveVatReports(api, shared)
    serveInvitations(api, shared)
    const mandates = options.mandates ?? newAccountMandates(autoPayment)
    serveTenantOffer(api, { ...shared, takesPayments: mandates.isOffered })
    serveTenants(api, { ...shared, themes: [...themes.keys()], addressRules: addressRules(config) })
    const files = { ...shared, ...storage, settings: config, secrets, uploads, thumbnailer }
    serveFiles(api, files)
    await serveTus(fastify, api, files)
    serveBulk(api, { ...shared, acts })
    serveExports(api, shared)
    serveImports(api, { ...shared, acts, secrets, importers })
    servePasswords(api, {
      ...shared,
      codes: resetCodes,
      systemPolicy: systemPolicy(config),
      tenantId: config.APP_TENANT_ID,
    })
    serveSignup(api, {
      ...shared,
      log,
      codes: signupCodes,
      systemPolicy: systemPolicy(config),
      mandates,
      tenantId: config.APP_TENANT_ID,
      tenantAt: async ({ variant, hostname }) =>
        (await brands.of({ variant, hostname, cookie: undefined })).tenantId,
      currency: config.APP_CURRENCY,
    })
    const pages = new BrandPages(config, themes, brands.own)
    serveContent(api, { ...shared, fastify, facts, themes, brands, pages })
  })
  serveBrowser({ config, clock, secrets, fastify, facts, provider: oauth })
  await mountProvider({ fastify, facts, provider: oauth, throttle })
  servePaymentWebhooks({ fastify, facts, payments, throttle })
  mountMailAuth({
    ...{
      config,
      fastify,
      facts,
      registry,
      log,
      db,
      clock,
      hasher,
      throttle,
      locator,
      appPasswords,
      gate,
      signIns,
    },
    tokens: {
      userOfPassword: (password) => oauth.mailPasswords.verify(password),
      userOfAccessToken: (token) => userOfMailToken(db, clock, token),
    },
    secondFactorRules: rules,
  })
  serveDiscovery({ config, fastify, facts, db, clock })
  if (sandbox !== undefined) {
    serveSandbox({ fastify, facts, sandbox, site: config.APP_NAME, theme: `/themes/${theme.name}` })
  }
  serveHealth({ fastify, pool, jobs, drain, folders })
  if (config.hasOutbox) serveOutbox(fastify, mailer)
  const webFolder = options.folders.web
  if (webFolder !== undefined) {
    const development = process.env.VITE_DEV === '1'
    const portal = await pageAssets(webFolder, development)
    const companion = await pageAssets(webFolder, development, companionEntry)
    const host = new PageHost(config, themes, portal, companion)
    const page = { fastify, facts, themes, brands }
    await serveCompanionPage({ ...page, webFolder: development ? undefined : webFolder })
    await servePages({ ...page, host, webFolder, development, contentOrigin: config.FILES_ORIGIN })
  } else {
    fastify.setNotFoundHandler(() => {
      throw new NotFound()
    })
  }

  const close = async () => {
    const cut = setTimeout(() => fastify.server.closeAllConnections(), longestRequest)
    await fastify.close()
    clearTimeout(cut)
    await sessionUse.settled()
    await events.close()
    await jobs.stop()
    thumbnailer.close()
    storage.store.close()
    await mailer.close()
    await database[Symbol.asyncDispose]()
  }
  const parts = {
    fastify,
    drain,
    api,
    database,
    jobs,
    mailer,
    hasher,
    secrets,
    watch,
    events,
    signIns,
    payments: composed,
    autoPayment,
    oauth,
    files: storage,
    meetings,
  }
  return { ...parts, close, [Symbol.asyncDispose]: close }
}
