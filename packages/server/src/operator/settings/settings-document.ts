import type { z } from 'zod'
import { billingSettings } from '../../billing/billing-settings.ts'
import { contentSettings } from '../../content/content-settings.ts'
import { fileSettings } from '../../files/file-settings.ts'
import { discoverySettings } from '../../mail-access/discovery/discovery-settings.ts'
import { mailAuthSettings } from '../../mail-access/sign-in/mail-auth-settings.ts'
import { meetSettings } from '../../meetings/meet-settings.ts'
import { oauthSettings } from '../../oauth/oauth-settings.ts'
import { passwordSettings } from '../../passwords/password-settings.ts'
import { countrySettings } from '../../platform/country-database/country-settings.ts'
import { serviceSettings } from '../../platform/http/callers/service-settings.ts'
import { featureSettings } from '../../platform/settings/feature-settings.ts'
import { hostingSettings } from '../../platform/settings/hosting-settings.ts'
import { siteSettings } from '../../platform/settings/site-settings.ts'
import { companionSettings } from '../../sessions/companions/companion-settings.ts'
import { identitySettings } from '../../sessions/identity-settings.ts'
import { signupSettings } from '../../signup/signup-settings.ts'
import { staffSettings } from '../../staff/staff-settings.ts'
import { userSettings } from '../../users/user-settings.ts'

type Declared = Readonly<Record<string, z.ZodType>>

/** Sections of the page. */
const chapters: readonly (readonly [title: string, settings: Declared])[] = [
  ['Server and site', siteSettings],
  ['What is offered', featureSettings],
  ['Hosted domains', hostingSettings],
  ['Sign-up', signupSettings],
  ['Users and passwords', { ...userSettings, ...passwordSettings }],
  ['Sessions and second factors', { ...identitySettings, ...companionSettings }],
  ['Billing and payments', billingSettings],
  ['Files', fileSettings],
  ['Meetings', meetSettings],
  ['OAuth and OpenID Connect', oauthSettings],
  ['Mail servers that ask the portal', { ...serviceSettings, ...mailAuthSettings }],
  ['What mail programs are told', discoverySettings],
  ['Pages', contentSettings],
  ['Country database', countrySettings],
  ['Staff', staffSettings],
]

/** `docs/SETTINGS.md`: every setting with its default and meaning. */
export function settingsDocument(): string {
  const parts = chapters.map(([title, settings]) => `## ${title}\n\n${table(settings)}\n`)
  return [
    '# Settings\n',
    'Settings are environment variables. Lists are separated by commas. An empty value counts as absent. A wrong value stops the start with a message that names the setting, and `npm run gatehouse -- config:check` finds it before. This page is printed by `npm run -s gatehouse -- config:document`.\n',
    ...parts,
  ].join('\n')
}

function table(settings: Declared): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const value = spell(schema.safeParse(undefined).data)
    const meaning = schema.description?.replaceAll('|', '\\|') ?? ''
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`
  })
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** A default as it would be written in the environment; empty: none. */
function spell(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
