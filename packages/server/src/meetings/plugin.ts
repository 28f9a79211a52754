import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import { Upgrades } from '../platform/http/connections/upgrades.ts'
import { contentHost } from '../platform/http/content-origin.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { composeMeetings, type Meetings, measureMeetings, PurgeMeetings } from './compose-meetings.ts'
import type { MeetSettings } from './meet-settings.ts'
import { PurgeRooms } from './rooms/end-room.ts'
import { serveRooms } from './routes.ts'

/** Adds rooms and their meetings. */
export function addMeetings(
  ground: Ground<IdentityConfig & BillingConfig & MeetSettings & FileOrigin>,
  identity: Identity,
): Meetings {
  const { api, config, db, clock, fastify, purge, metrics } = ground
  const meetings = composeMeetings({
    ...ground,
    sessions: ground.database.sessions,
    upgrades: new Upgrades(fastify, contentHost(config)),
  })
  measureMeetings(metrics, meetings)
  serveRooms(api, { ...ground, ...identity, ...meetings })
  purge.add(new PurgeRooms(db, clock, config.RETENTION_DAYS), new PurgeMeetings(db, clock))
  return meetings
}

type FileOrigin = Parameters<typeof contentHost>[0]
