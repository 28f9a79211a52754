import { z } from 'zod'
import { defineRoutes } from '../route.ts'

/** A server as mail programs ask for it. */
export const setupServer = z.object({
  host: z.string(),
  port: z.number().int(),
  /** `ssl`: TLS from the start. `tls`: STARTTLS. */
  encryption: z.enum(['ssl', 'tls', 'plain']),
})

export type SetupServer = z.output<typeof setupServer>

/** A link to open on a phone, with a picture of it. */
const phoneLink = z.object({
  url: z.string(),
  /** QR code as a data URL. */
  qrcode: z.string(),
})

export const deviceSetup = z.object({
  /** What programs sign in with, besides an app password. */
  username: z.string(),
  imap: setupServer,
  /** Null: not offered. */
  pop3: setupServer.nullable(),
  smtp: setupServer,
  /** URL of calendars and contacts (CalDAV and CardDAV); null: not offered. */
  dav: z.string().nullable(),
  /** URL of the account's address book (CardDAV), on the portal; null: not offered. */
  addressBook: z.string().nullable(),
  /** URL of ActiveSync; null: not offered. */
  activeSync: z.string().nullable(),
  /** Configuration profile for Apple devices. It contains no password. */
  profile: phoneLink,
  isProfileSigned: z.boolean(),
  /** This page. */
  page: phoneLink,
})

export type DeviceSetup = z.output<typeof deviceSetup>

export const deviceSetupRoutes = defineRoutes({
  'GET /api/v4/device-setup': {
    summary: "Get the settings with which the caller's phones and mail programs are set up",
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    ok: deviceSetup,
    errors: [401, 403, 404],
  },
})
