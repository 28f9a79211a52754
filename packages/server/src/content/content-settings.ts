import { z } from 'zod'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import { url } from '../platform/settings/setting-kinds.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'

/** Links on pages. */
export const contentSettings = {
  COMPANION_DOWNLOAD_LINK: url(['http:', 'https:']).optional().describe('Download page of the companion app'),
}

const parsedSettings = z.object(contentSettings)

export type ContentSettings = z.infer<typeof parsedSettings>

/** Settings that pages show. */
export type ContentConfig = SiteConfig &
  FeatureSettings &
  ContentSettings &
  BackendSettings & {
    /** Origin that serves file contents. Undefined: the portal's own origin. */
    readonly FILES_ORIGIN?: string | undefined
    /** The payment provider. Undefined: payments are disabled. */
    readonly paymentProvider: string | undefined
  }
