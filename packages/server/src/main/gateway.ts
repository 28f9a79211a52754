import { join, resolve } from 'node:path'
import { readEndpoint } from '../mailflow/gateway/gateway-settings.ts'
import { prepareDatabase } from '../operator/prepare.ts'
import { Hasher } from '../passwords/hasher.ts'
import { openDatabase } from '../platform/db/database.ts'
import { listenForScrapes } from '../platform/metrics/metrics-server.ts'
import { version } from '../platform/release/version.ts'
import { startTelemetry } from '../platform/tracing/open-telemetry.ts'
import { createApp } from './compose.ts'
import { type Config, loadConfig } from './settings/config.ts'
import { describeFailure, makeDataFolder, requireDatabase, StartError } from './settings/start-errors.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Runs the mail gateway until it's stopped: the same rooms as the server, without its port and its jobs. */
async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const databaseUrl = process.env.GATEHOUSE_DATABASE ?? config.DATABASE_URL
  if (databaseUrl === undefined) {
    throw new StartError(
      'DATABASE_URL: not set. With the embedded database, set MAIL_GATEWAY=1 for the server.',
    )
  }
  await makeDataFolder(config.dataDir)
  const stopped = stopSignal()
  await prepare(config, databaseUrl)
  await using telemetry = await startTelemetry(process.env, reportTelemetry)
  await using app = await createApp({
    config,
    databaseUrl,
    folders: { themes: join(root, 'themes') },
    hasContent: false,
    ...(telemetry?.tracer && { tracer: telemetry.tracer }),
  })
  telemetry?.exportMetrics(app.metrics)
  await app.fastify.ready()
  await using _metrics = await listenForScrapes(app.metrics, readEndpoint(config.MAIL_GATEWAY_METRICS))
  await app.gateway.start()
  // beside a server it waits until that one is gone
  await app.saslauthd?.start()
  app.openSessions?.start()
  app.fastify.log.info({ version, node: process.version }, 'the mail gateway started')
  await stopped
  app.fastify.log.info('the mail gateway is stopping')
  await app.openSessions?.stop()
  await app.gateway.close()
}

function reportTelemetry(problem: string): void {
  process.stderr.write(`OpenTelemetry: ${problem}\n`)
}

async function prepare(config: Config, url: string): Promise<void> {
  await using database = openDatabase(url, 3, (error) => process.stderr.write(`database: ${error.message}\n`))
  await requireDatabase(database, url)
  await prepareDatabase(database, config, new Hasher(), { root, isServer: false })
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
}

try {
  await main()
} catch (error) {
  process.stderr.write(`mail gateway: ${describeFailure(error)}\n`)
  process.exit(1)
}
