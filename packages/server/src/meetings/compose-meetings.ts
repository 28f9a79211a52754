import { loads, MediaEngines } from '@gatehouse/media/media-engines'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Upgrades } from '../platform/http/connections/upgrades.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Purgeable } from '../platform/purge.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { MeetingTokens } from './door/meeting-token.ts'
import type { MeetSettings } from './meet-settings.ts'
import { MeetingHub } from './meeting-hub.ts'
import { removeMeetings } from './meeting-store.ts'
import { refuseSocketIo } from './signalling/refuse-socket-io.ts'
import { RelaySockets } from './signalling/relay-socket.ts'
import { serveSignalling } from './signalling/signalling-server.ts'

export interface MeetingsParts {
  readonly config: SiteConfig & FeatureSettings & MeetSettings
  readonly db: Db
  readonly sessions: Pool
  readonly clock: Clock
  readonly log: Log
  readonly secrets: Secrets
  readonly fastify: FastifyInstance
  readonly upgrades: Upgrades
}

/** WebSocket path where media engines of other hosts register. */
const enginesPath = '/api/meet/engines'

/** The meetings of this process. */
export interface Meetings {
  readonly hub: MeetingHub
  readonly tokens: MeetingTokens
  readonly engines: MediaEngines
  /** Starts the media engines of this machine, and takes over meetings left by crashed processes. */
  start(): void
}

/** Composes the meetings and serves their sockets. */
export function composeMeetings(parts: MeetingsParts): Meetings {
  const { config, secrets, clock, log, fastify, upgrades } = parts
  const tokens = new MeetingTokens(secrets, clock)
  const engines = new MediaEngines({ settings: config, warn: (text) => log.warn(text) })
  const { remote } = engines
  if (remote !== undefined && config.APP_WITH_MEET) {
    upgrades.serve(enginesPath, (...upgrade) => remote.handleUpgrade(...upgrade))
  }
  const hub = new MeetingHub({ ...parts, tokens, engines, ownUrl: () => ownUrl(config, fastify) })
  const relays = new RelaySockets(secrets, clock, log)
  serveSignalling({ ...parts, hub, tokens, relays })
  refuseSocketIo(fastify, upgrades)
  fastify.addHook('preClose', async () => {
    hub.stop()
    await engines[Symbol.asyncDispose]()
  })
  const start = () => {
    engines.start()
    hub.start()
  }
  return { hub, tokens, engines, start }
}

/** Returns the URL at which other processes reach this one: as configured, or its listening address. */
function ownUrl(config: SiteConfig & FeatureSettings & MeetSettings, fastify: FastifyInstance): string {
  if (config.MEET_NODE_URL !== undefined) return config.MEET_NODE_URL
  const address = fastify.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  const host = ['0.0.0.0', '::'].includes(config.HOST) ? '127.0.0.1' : config.HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Adds metrics of the meetings in this process. */
export function measureMeetings(metrics: Metrics, { hub, engines }: Meetings): void {
  metrics.gauge(
    {
      name: 'gatehouse_media_engine_load',
      help: 'CPU usage of a media engine as a share of one core',
      labelNames: ['engine'],
    },
    () => loads(engines.pool).map(({ engine, load }) => ({ labels: { engine }, value: load.cpu })),
  )
  const gauge = (name: string, help: string, count: () => number) =>
    metrics.gauge({ name, help }, () => [{ value: count() }])
  gauge('gatehouse_meetings', 'Meetings held by this process', () => hub.meetings.length)
  gauge('gatehouse_meeting_participants', 'Participants of meetings held by this process', () =>
    hub.meetings.reduce((sum, meeting) => sum + meeting.people.size, 0),
  )
  gauge('gatehouse_meeting_knocks', 'People waiting to be admitted', () =>
    hub.meetings.reduce((sum, meeting) => sum + meeting.waiting, 0),
  )
  gauge(
    'gatehouse_media_engines',
    'Media engines available to this process',
    () => engines.pool.engines.length,
  )
}

/** Removes meetings and their participants a day after the end, for privacy. */
export class PurgeMeetings implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    await removeMeetings(this.#db, after(this.#clock.now(), -day))
  }
}
