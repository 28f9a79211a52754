import {
  type CountrySettings,
  countrySettings,
  countrySettingsProblem,
} from './country-database/country-settings.ts'
import { platformChecks } from './health/platform-checks.ts'
import {
  type ServiceSettings,
  serviceSettings,
  serviceSettingsProblem,
} from './http/callers/service-settings.ts'
import type { RoomManifest } from './room-manifest.ts'
import { featureSettings } from './settings/feature-settings.ts'
import { hostingSettings } from './settings/hosting-settings.ts'
import { type SiteSettings, siteSettings, siteSettingsProblem } from './settings/site-settings.ts'

export const platform = {
  settings: {
    'Server and site': siteSettings,
    Features: featureSettings,
    'Hosted domains': hostingSettings,
    'Mail server authentication': serviceSettings,
    'Country database': countrySettings,
  },
  contradictions: [siteSettingsProblem, countrySettingsProblem, serviceSettingsProblem],
  commands: {
    'country-commands': async () => (await import('./country-database/country-commands.ts')).countryCommands,
    'job-commands': async () => (await import('./jobs/job-commands.ts')).jobCommands,
  },
  health: platformChecks,
} satisfies RoomManifest<SiteSettings & CountrySettings & ServiceSettings>
