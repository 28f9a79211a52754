import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Clock } from './clock.ts'
import type { Database, Db } from './db/database.ts'
import type { DnsClient } from './dns/dns-client.ts'
import type { EventCounter } from './event-counter.ts'
import type { CheckedPart } from './health/health-check.ts'
import type { Api, ApiParts } from './http/api.ts'
import { named } from './http/plugin-name.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Locator } from './location.ts'
import type { Post } from './mailer/post.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PurgeList } from './purge.ts'
import type { Secrets } from './secrets.ts'
import type { Throttle } from './throttle/throttle.ts'
import type { Tracer } from './tracing/tracer.ts'

/** What every room builds on. `Config` is the part of the settings that the room reads. */
export interface Ground<Config> {
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly pool: Pool
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly secrets: Secrets
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly api: Api
  readonly jobs: Jobs
  readonly purge: PurgeList
  readonly metrics: Metrics
  readonly tracer: Tracer
  readonly post: Post
  readonly locator: Locator
  readonly throttle: Throttle
  readonly dns: DnsClient
  readonly events: EventCounter
  /** Runs the health checks of all rooms. */
  readonly askHealth: () => Promise<readonly CheckedPart[]>
}

/**
 * Adds a room in its own scope, so that its hooks and parsers apply only to its own routes. Returns what the
 * room returns.
 */
export async function addRoom<Config, Above extends readonly unknown[], Parts>(
  ground: Ground<Config>,
  room: (ground: Ground<Config>, ...above: Above) => Parts | Promise<Parts>,
  ...above: Above
): Promise<Parts> {
  let added: { readonly parts: Parts } | undefined
  const plugin = named(room.name, async (fastify) => {
    added = { parts: await room({ ...ground, fastify, api: ground.api.within(fastify) }, ...above) }
  })
  await ground.fastify.register(plugin)
  if (added === undefined) throw new Error('the plugin was not registered')
  return added.parts
}
