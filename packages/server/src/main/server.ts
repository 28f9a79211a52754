import { join, resolve } from 'node:path'
import { demoPassword, demoUsers } from '../operator/demo/demo-data.ts'
import { prepareDatabase } from '../operator/prepare.ts'
import { Hasher } from '../passwords/hasher.ts'
import { openDatabase } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded-postgres.ts'
import { runtimeWarning } from '../platform/release/runtime.ts'
import { version } from '../platform/release/version.ts'
import { startTelemetry } from '../platform/tracing/open-telemetry.ts'
import type { App } from './app.ts'
import { createApp } from './compose.ts'
import { GatewayProcess } from './gateway-process.ts'
import { unreachableAtStart } from './settings/check-connections.ts'
import { type Config, loadConfig } from './settings/config.ts'
import { checkStart, describeChecks } from './settings/start-check.ts'
import {
  describeFailure,
  listening,
  makeDataFolder,
  requireDatabase,
  StartError,
} from './settings/start-errors.ts'

/** Concurrent jobs per server process. */
const jobConcurrency = 4

/** The repository root, three folders above this file, built or not. */
const root = resolve(import.meta.dirname, '../../..')

/** Runs a server until it is stopped and has released all resources. */
async function main(): Promise<void> {
  const config = await checkedConfig()
  await makeDataFolder(config.dataDir)
  const stopped = stopSignal()
  await using embedded = config.DATABASE_URL === undefined ? await startDatabase(config) : undefined
  const databaseUrl = embedded?.url ?? config.DATABASE_URL ?? ''
  const demoLoaded = await prepare(config, config.DATABASE_DIRECT_URL ?? databaseUrl)
  await using telemetry = await startTelemetry(process.env, reportTelemetry)
  await using app = await createApp({
    config,
    databaseUrl,
    folders: { themes: join(root, 'themes'), web: join(root, 'packages/web/dist') },
    ...(telemetry?.tracer && { tracer: telemetry.tracer }),
  })
  telemetry?.exportMetrics(app.metrics)
  await app.jobs.start(jobConcurrency)
  await listening(() => app.fastify.listen({ port: config.PORT, host: config.HOST }), config)
  app.webhooks.start()
  if (config.APP_WITH_MEET) app.meetings.start()
  await using _gateway = config.MAIL_GATEWAY ? new GatewayProcess(databaseUrl, app.fastify.log) : undefined
  logStart(app, config)
  announce(config, app, demoLoaded)
  await stopped
  app.fastify.log.info('stopping')
  await app.drain.run(config.drainSeconds)
}

/** Returns the settings if they are valid. Warnings go to standard error. */
async function checkedConfig(): Promise<Config> {
  const { refusals, warnings } = checkStart(process.env)
  if (refusals.length > 0) throw new StartError(describeChecks({ refusals, warnings }))
  const config = loadConfig(process.env)
  const away = config.NODE_ENV === 'production' ? await unreachableAtStart(config) : []
  const checks = { refusals, warnings: [...warnings, ...away] }
  if (checks.warnings.length > 0) process.stderr.write(`${describeChecks(checks)}\n`)
  return config
}

function startDatabase(config: Config) {
  return startEmbeddedPostgres({
    folder: join(config.dataDir, 'postgres'),
    database: 'gatehouse',
    durable: true,
    isWatched: true,
    log: (level, text, detail) => {
      if (level === 'warn' || level === 'error')
        process.stderr.write(`database: ${text} ${JSON.stringify(detail ?? {})}\n`)
    },
  })
}

function reportTelemetry(problem: string): void {
  process.stderr.write(`OpenTelemetry: ${problem}\n`)
}

async function prepare(config: Config, url: string): Promise<boolean> {
  await using database = openDatabase(url, 3, (error) => process.stderr.write(`database: ${error.message}\n`))
  await requireDatabase(database, url)
  const { demoLoaded } = await prepareDatabase(database, config, new Hasher(), { root, isServer: true })
  return demoLoaded
}

/** Resolves at the first SIGINT or SIGTERM. A second one kills the process. */
function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
}

function logStart({ fastify: { log } }: App, { build }: Config): void {
  log.info({ version, build, node: process.version }, 'Gatehouse started')
  const warning = runtimeWarning(process.version)
  if (warning !== undefined) log.warn({ node: process.version }, warning)
}

function announce(config: Config, app: App, demoLoaded: boolean): void {
  const address = app.fastify.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  const here = new URL(config.APP_URL)
  if (config.APP_URL.startsWith('http://localhost')) here.port = String(port)
  const at = (prefix: string) => `${here.protocol}//${prefix}${here.host}`
  const lines = [
    '',
    `  ${config.APP_NAME} is ready`,
    '',
    `  users      ${at('')}`,
    `  admin      ${at('admin.')}`,
    `  reseller   ${at('reseller.')}`,
    ...(config.hasOutbox ? [`  outbox     ${at('')}/dev/outbox`] : []),
    `  API        ${at('')}/api/docs`,
    ...(demoLoaded ? ['', `  Demo logins, password ${demoPassword}:`, ...demoUsers.map(demoLine)] : []),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function demoLine({ email, shows }: (typeof demoUsers)[number]): string {
  return `    ${email.padEnd(24)} ${shows}`
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  // parts of a half-composed server would keep the process alive
  process.exit(1)
}
