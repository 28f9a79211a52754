import { z } from 'zod'
import { flag, list, networks } from '../../settings/setting-kinds.ts'

const shortestSecret = 32

const secrets = list.refine((all) => all.length > 0 && all.every(({ length }) => length >= shortestSecret), {
  error: `must have at least ${shortestSecret} characters`,
})

/** Settings of the calls that mail and groupware servers make; names as in the product that this one replaces. */
export const serviceSettings = {
  APP_WITH_SERVICES: flag(false).describe(
    'Mail and groupware servers may ask the portal who somebody is; needs `SERVICES_SECRET`',
  ),
  APP_SERVICES_ALLOWED_DOMAINS: list
    .optional()
    .describe(
      'Host names under which they ask; absent: `webapp`, `kolab` and `services.` the host of `APP_URL`',
    ),
  SERVICES_ALLOW: networks
    .default(['127.0.0.1', '::1'])
    .describe('Addresses or networks from which they ask'),
  SERVICES_SECRET: secrets
    .optional()
    .describe(
      'What they prove themselves with, at least 32 characters without blanks; two, separated by a comma, while it is changed',
    ),
}

const parsedSettings = z.object(serviceSettings)

export type ServiceSettings = z.infer<typeof parsedSettings>

/** What contradicts itself in the settings, as `SETTING: sentence`; undefined: nothing does. */
export function serviceSettingsProblem(value: ServiceSettings): string | undefined {
  const { APP_WITH_SERVICES, SERVICES_SECRET } = value
  if (APP_WITH_SERVICES && SERVICES_SECRET === undefined) {
    return 'SERVICES_SECRET: APP_WITH_SERVICES is on and needs it'
  }
  return undefined
}
