import { join } from 'node:path'
import { mailTheme } from '../content/mail-theme.ts'
import { loadTheme, loadThemes, type Theme } from '../content/theme.ts'
import { sealedColumns } from '../operator/sealed-columns.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { measureCountries } from '../platform/country-database/measure-countries.ts'
import { handleCountries } from '../platform/country-database/renew-countries.ts'
import { type Db, openDatabase } from '../platform/db/database.ts'
import { measurePool } from '../platform/db/measure-pool.ts'
import type { WatchedFolder } from '../platform/disk-space.ts'
import { DnsClient } from '../platform/dns/dns-client.ts'
import { EventCounter } from '../platform/event-counter.ts'
import type { Ground } from '../platform/ground.ts'
import { serveHealth } from '../platform/health/health.ts'
import { askChecks } from '../platform/health/health-check.ts'
import { Api } from '../platform/http/api.ts'
import { Drain } from '../platform/http/connections/drain.ts'
import { Idempotency } from '../platform/http/idempotency/idempotency.ts'
import { serveOpenApi } from '../platform/http/openapi.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { openSecrets } from '../platform/installation-keys/open-secrets.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import { measureJobs } from '../platform/jobs/measure-jobs.ts'
import { traceJobs } from '../platform/jobs/trace-jobs.ts'
import { Locator } from '../platform/location.ts'
import { MailLog } from '../platform/mailer/mail-log.ts'
import { createMailer, type Mailer } from '../platform/mailer/mailer.ts'
import { serveOutbox } from '../platform/mailer/outbox-page.ts'
import { Post } from '../platform/mailer/post.ts'
import { Metrics } from '../platform/metrics/metrics.ts'
import { measureProcess, serveMetrics } from '../platform/metrics/serve-metrics.ts'
import { PurgeList } from '../platform/purge.ts'
import { countThrottled } from '../platform/throttle/count-throttled.ts'
import { Throttle } from '../platform/throttle/throttle.ts'
import { idsOnly } from '../platform/tracing/tracer.ts'
import { Brands } from '../tenants/brand.ts'
import { siteOf } from '../tenants/tenant-site.ts'
import type { AppOptions } from './app.ts'
import { healthChecks } from './rooms.ts'
import type { Config } from './settings/config.ts'

/** The ground, with additional parts that only the composition needs. */
export interface Opened {
  readonly ground: Ground<Config>
  readonly drain: Drain
  readonly mailer: Mailer
  readonly theme: Theme
  readonly look: { readonly themes: ReadonlyMap<string, Theme>; readonly brands: Brands }
}

/** Opens what every room builds on: HTTP server, database, queue, mail, metrics. */
export async function openGround(options: AppOptions): Promise<Opened> {
  const { config, clock = systemClock } = options
  const { logTo, tracer = idsOnly } = options
  const { fastify, facts } = await createHttpServer(config, options.checkAnswers ?? false, { logTo, tracer })
  const log = fastify.log
  const drain = new Drain(fastify)
  const onError = (error: Error) => log.error({ err: error }, 'idle database connection failed')
  const direct = config.DATABASE_DIRECT_URL
  const database = openDatabase(options.databaseUrl, config.DATABASE_POOL, onError, direct)
  const { db, pool, sessions } = database
  const metrics = new Metrics(pool)
  measurePool(metrics, pool)
  const secrets = await openSecrets(db, config, async () => sealedColumns)
  const { theme, themes } = await openThemes(options)
  const brands = new Brands(db, config, themes.keys())
  const mailLog = new MailLog(db, clock)
  const { mailer, post } = openPost({ config, clock, db, theme, themes, mailLog })
  const jobs = new Jobs(sessions, log)
  traceJobs(jobs, tracer)
  const throttle = new Throttle(pool, clock, countThrottled(metrics))
  const locator = await Locator.open(db, config.GEO_DATABASE)
  fastify.addHook('preClose', locator.watch(log))
  handleCountries(jobs, { db, clock, config }, () => locator.refresh())
  const idempotency = new Idempotency(db, clock, secrets)
  const purge = new PurgeList()
  purge.add(mailLog, throttle, idempotency)

  await serveOpenApi(fastify, config.APP_NAME, config.APP_URL)
  const folders = writtenFolders(config)
  measureProcess(metrics, fastify, folders)
  serveMetrics({ metrics, fastify, facts, allowed: config.METRICS_ALLOW })
  measureJobs(metrics, jobs, pool)
  measureCountries(metrics, clock, () => locator.builtAt)
  serveHealth({ fastify, pool, jobs, drain, metrics, folders })
  if (config.hasOutbox) serveOutbox(fastify, mailer)
  const ground = {
    ...{
      config,
      database,
      db,
      pool,
      clock,
      log,
      secrets,
      fastify,
      facts,
      jobs,
      purge,
      metrics,
      tracer,
      post,
    },
    ...{ locator, throttle },
    api: new Api({ fastify, idempotency, facts }),
    dns: new DnsClient({ servers: config.DNS_SERVERS, timeout: config.DNS_TIMEOUT }),
    events: new EventCounter(db, log),
    askHealth: () => askChecks(healthChecks, { config, db, clock, jobs, locator }),
  }
  return { ground, drain, mailer, theme, look: { themes, brands } }
}

/** Loads all themes and selects the configured one. */
async function openThemes({ config, folders }: AppOptions) {
  const themes = await loadThemes(folders.themes)
  // an error in the configured theme is reported by name
  const theme = themes.get(config.APP_THEME) ?? (await loadTheme(join(folders.themes, config.APP_THEME)))
  return { themes, theme }
}

interface PostParts {
  readonly config: Config
  readonly clock: Clock
  readonly db: Db
  readonly theme: Theme
  readonly themes: ReadonlyMap<string, Theme>
  readonly mailLog: MailLog
}

/** Creates the mailer, with the look of the installation or of the tenant concerned. */
function openPost({ config, clock, db, theme, themes, mailLog }: PostParts) {
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    outboxFolder: join(config.dataDir, 'outbox'),
    from: config.mailFrom,
    ...(config.MAIL_REPLYTO_ADDRESS !== undefined && { replyTo: { address: config.MAIL_REPLYTO_ADDRESS } }),
    clock,
  })
  const site = { name: config.APP_NAME, link: (path: string) => `${config.APP_URL}${path}` }
  const mailLook = { publicUrl: config.APP_URL, companyLine: config.COMPANY_FOOTER }
  const mailThemeOf = (name: string) => {
    const own = themes.get(name)
    return own && mailTheme(own, mailLook)
  }
  const post = new Post(mailer, site, mailTheme(theme, mailLook), {
    log: mailLog,
    siteOf: (whose) => siteOf(db, whose, mailThemeOf),
  })
  return { mailer, post }
}

/** Folders that need free disk space: data, and files if they are stored elsewhere on this machine. */
function writtenFolders(config: Config): WatchedFolder[] {
  const data = { name: 'data', path: config.dataDir }
  const files = config.FILESYSTEM_DISK === 'local' ? config.FILES_FOLDER : undefined
  return files === undefined ? [data] : [data, { name: 'files', path: files }]
}
