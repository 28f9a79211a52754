import { isIP } from 'node:net'
import { z } from 'zod'

const count = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)

const list = z.string().transform((value) => value.split(/[,\s]+/).filter((part) => part !== ''))

const address = z.string().refine((value) => isIP(value) !== 0, { error: 'must be a network address' })

const addresses = list.refine((entries) => entries.every((entry) => isIP(entry) !== 0), {
  error: 'must be network addresses',
})

const relayUrl =
  /^turns?:[a-z0-9.-]+(:\d{1,5})?(\?transport=(udp|tcp))?$|^turns?:\[[0-9a-f:]+\](:\d{1,5})?(\?transport=(udp|tcp))?$/i

const relayUrls = list.refine((entries) => entries.every((entry) => relayUrl.test(entry)), {
  error: 'must be addresses such as turn:turn.example.org:3478?transport=udp',
})

/** Default of the first port; another one is used if that is taken. */
export const defaultUdpPort = 44_444

const token = z.string().min(32, 'must have at least 32 characters')

/** Settings of the media engines of meetings. */
export const mediaSettings = {
  MEET_ENGINES: count(1, 0, 64).describe(
    'Media engines on this server. Each is a process that uses up to one core. 0: use only engines on other hosts',
  ),
  MEET_UDP_PORT: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(0).max(65_000))
    .optional()
    .describe(
      'UDP port of the first engine. Each further engine uses the next port but one, and the port after each is for relays. 0: any port. If not set: 44444, or any port if it is taken',
    ),
  MEET_BIND_ADDRESS: address
    .optional()
    .describe('Address on which engines receive media. If not set: all addresses of the machine'),
  MEET_ANNOUNCED_ADDRESS: addresses
    .default([])
    .describe(
      'Addresses at which browsers reach the engines, if they differ from the addresses the engines listen on (containers, NAT)',
    ),
  MEET_ENGINE_TOKEN: token
    .optional()
    .describe(
      'Secret with which engines on other hosts register, at least 32 characters. If not set: no remote engines can register',
    ),
  MEET_TURN_URLS: relayUrls
    .default([])
    .describe(
      'TURN relays for browsers that cannot use UDP, such as turn:turn.example.org:3478?transport=tcp',
    ),
  MEET_TURN_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('The relay’s `static-auth-secret`. Required with `MEET_TURN_URLS`'),
}

const parsedSettings = z.object(mediaSettings)

export type MediaSettings = z.infer<typeof parsedSettings>

/** Returns conflicting settings as `SETTING: sentence`, or undefined. */
export function mediaSettingsProblem(value: MediaSettings): string | undefined {
  if (value.MEET_TURN_URLS.length > 0 && value.MEET_TURN_SECRET === undefined)
    return 'MEET_TURN_SECRET: required with MEET_TURN_URLS'
  if (value.MEET_ENGINES === 0 && value.MEET_ENGINE_TOKEN === undefined)
    return 'MEET_ENGINE_TOKEN: MEET_ENGINES is 0, so there would be no engine at all'
  return undefined
}

/** Settings of a separate engine host (`engine-host`), whose engines serve the given portal. */
export const engineHostSettings = {
  MEET_PORTAL_URL: z
    .url({ protocol: /^wss?$/ })
    .describe('URL at which engines register, such as wss://portal.example.org/api/meet/engines'),
  MEET_ENGINE_TOKEN: token.describe('Token set on the portal'),
  MEET_HOST_NAME: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'must be letters, digits, dots and dashes')
    .optional()
    .describe('Name of this host in logs. If not set: the host name of the machine'),
  MEET_ENGINES: mediaSettings.MEET_ENGINES.pipe(z.number().min(1)),
  MEET_UDP_PORT: mediaSettings.MEET_UDP_PORT,
  MEET_BIND_ADDRESS: mediaSettings.MEET_BIND_ADDRESS,
  MEET_ANNOUNCED_ADDRESS: mediaSettings.MEET_ANNOUNCED_ADDRESS,
  MEET_RELAYS: z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1')
    .describe('1: the portal uses relays. Opens ports for them'),
}
