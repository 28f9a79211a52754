import { z } from 'zod'
import { flag, list, networks } from '../../settings/setting-kinds.ts'

const shortestSecret = 32

const secrets = list.refine((all) => all.length > 0 && all.every(({ length }) => length >= shortestSecret), {
  error: `must have at least ${shortestSecret} characters`,
})

/** Settings of the calls for mail and groupware servers; names as in the product that this one replaces. */
export const serviceSettings = {
  APP_WITH_SERVICES: flag(false).describe(
    'Allow mail and groupware servers to authenticate users through the portal. Requires `SERVICES_SECRET`',
  ),
  APP_SERVICES_ALLOWED_DOMAINS: list
    .optional()
    .describe(
      'Host names at which these servers call the portal. If not set: `webapp`, `kolab` and `services.` the host of `APP_URL`',
    ),
  SERVICES_ALLOW: networks
    .default(['127.0.0.1', '::1'])
    .describe('Addresses or networks from which these servers call the portal'),
  SERVICES_SECRET: secrets
    .optional()
    .describe(
      'Secret of these servers, at least 32 characters without spaces. While changing it: two secrets, separated by a comma',
    ),
}

const parsedSettings = z.object(serviceSettings)

export type ServiceSettings = z.infer<typeof parsedSettings>

/** Returns a contradiction between settings as `SETTING: sentence`; undefined if there is none. */
export function serviceSettingsProblem(value: ServiceSettings): string | undefined {
  const { APP_WITH_SERVICES, SERVICES_SECRET } = value
  if (APP_WITH_SERVICES && SERVICES_SECRET === undefined) {
    return 'SERVICES_SECRET: required with APP_WITH_SERVICES'
  }
  return undefined
}
