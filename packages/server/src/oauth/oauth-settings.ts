import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

const clientId = z.uuid({ error: 'must be a UUID' })
const clientSecret = z.string().min(32, 'must have at least 32 characters')

/** Settings of the OpenID provider; names of built-in clients as in the product that this one replaces. */
export const oauthSettings = {
  OAUTH_KEY_DAYS: count(90, 1, 3650).describe('Days after which the signing keys of ID tokens are replaced'),
  PASSPORT_WEBMAIL_SSO_CLIENT_ID: clientId
    .optional()
    .describe('OAuth client ID of the webmail. If not set: no client is created for it'),
  PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: clientSecret
    .optional()
    .describe('Its secret, at least 32 characters. Required with `PASSPORT_WEBMAIL_SSO_CLIENT_ID`'),
  PASSPORT_SYNAPSE_OAUTH_CLIENT_ID: clientId
    .optional()
    .describe('OAuth client ID of the Matrix server. If not set: no client is created for it'),
  PASSPORT_SYNAPSE_OAUTH_CLIENT_SECRET: clientSecret
    .optional()
    .describe('Its secret, at least 32 characters. Required with `PASSPORT_SYNAPSE_OAUTH_CLIENT_ID`'),
}

const parsedSettings = z.object(oauthSettings).extend({ APP_WEBMAIL_URL: z.string().optional() })

export type OAuthSettings = z.infer<typeof parsedSettings>

/** Returns a contradiction between settings as `SETTING: sentence`; undefined if there is none. */
export function oauthSettingsProblem(value: OAuthSettings): string | undefined {
  for (const name of ['PASSPORT_WEBMAIL_SSO', 'PASSPORT_SYNAPSE_OAUTH'] as const) {
    const hasId = value[`${name}_CLIENT_ID`] !== undefined
    const hasSecret = value[`${name}_CLIENT_SECRET`] !== undefined
    if (hasId !== hasSecret) {
      return `${name}_CLIENT_${hasId ? 'SECRET' : 'ID'}: required with ${name}_CLIENT_${hasId ? 'ID' : 'SECRET'}`
    }
  }
  if (value.PASSPORT_WEBMAIL_SSO_CLIENT_ID !== undefined && value.APP_WEBMAIL_URL === undefined) {
    return 'APP_WEBMAIL_URL: required with PASSPORT_WEBMAIL_SSO_CLIENT_ID'
  }
  return undefined
}
