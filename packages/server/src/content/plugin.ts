import type { Ground } from '../platform/ground.ts'
import { NotFound } from '../platform/http/errors.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { Brands } from '../tenants/brand.ts'
import { BrandPages } from './brand-pages.ts'
import { serveCompanionPage } from './companion-page.ts'
import type { ContentConfig } from './content-settings.ts'
import { companionEntry, PageHost, pageAssets } from './page-host.ts'
import { serveContent } from './routes.ts'
import { servePages } from './serve-pages.ts'
import { handleSupportRequests } from './support-request.ts'
import type { Theme } from './theme.ts'

type Config = ContentConfig & FeatureSettings & Pick<FileOrigin, 'FILES_ORIGIN'>

/** Brands and themes of the installation and its tenants. */
export interface Look {
  readonly themes: ReadonlyMap<string, Theme>
  readonly brands: Brands
}

/** Serves a brand's texts and images and the support form. */
export function addContent(
  ground: Ground<Config & Pick<ContentConfig, 'SUPPORT_EMAIL'>>,
  { themes, brands }: Look,
): void {
  const { api, config, jobs, post } = ground
  handleSupportRequests(jobs, post, config.SUPPORT_EMAIL)
  const pages = new BrandPages(config, themes, brands.own)
  serveContent(api, { ...ground, themes, brands, pages })
}

/** Serves the built web application from a folder; without one, only the API. */
export async function addPages(
  ground: Ground<Config>,
  look: Look,
  webFolder: string | undefined,
): Promise<void> {
  const { config, fastify, facts } = ground
  if (webFolder === undefined) {
    fastify.setNotFoundHandler(() => {
      throw new NotFound()
    })
    return
  }
  const development = process.env.VITE_DEV === '1'
  const portal = await pageAssets(webFolder, development)
  const companion = await pageAssets(webFolder, development, companionEntry)
  const host = new PageHost(config, look.themes, portal, companion)
  const page = { fastify, facts, ...look }
  await serveCompanionPage({ ...page, webFolder: development ? undefined : webFolder })
  await servePages({ ...page, host, webFolder, development, contentOrigin: config.FILES_ORIGIN })
}

type FileOrigin = { readonly FILES_ORIGIN?: string | undefined }
