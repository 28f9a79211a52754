import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../platform/http/api.ts'
import { NotFound } from '../platform/http/errors.ts'
import type { Brands } from '../tenants/brand.ts'
import { type Theme, themeOf } from './theme.ts'

/**
 * Path of the companion page, a separate small application that can be installed on a phone's home screen.
 */
const place = '/companion-app'

const background = { light: '#f3f5f3', dark: '#0e1413' }

export function isCompanionPage(path: string): boolean {
  return path === place || path === `${place}/`
}

/** Additional head elements of the companion page. */
export function companionHead(theme: Theme): string {
  const icon = theme.images.appIcon
  return [
    `<link rel="manifest" href="${place}.webmanifest">`,
    ...(icon === undefined ? [] : [`<link rel="apple-touch-icon" href="/themes/${theme.name}/${icon}">`]),
    `<meta name="theme-color" content="${background.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${background.dark}" media="(prefers-color-scheme: dark)">`,
    '',
  ].join('\n')
}

/** A web app manifest (W3C), so that the page can be installed. */
function manifest(name: string, theme: Theme) {
  const images = `/themes/${theme.name}`
  const { favicon, appIcon } = theme.images
  return {
    id: place,
    name,
    short_name: name,
    start_url: place,
    scope: place,
    display: 'standalone',
    background_color: background.light,
    theme_color: background.light,
    icons: [
      { src: `${images}/${favicon}`, type: 'image/svg+xml', sizes: 'any' },
      ...(appIcon === undefined
        ? []
        : [{ src: `${images}/${appIcon}`, type: 'image/png', sizes: '512x512', purpose: 'any maskable' }]),
    ],
  }
}

export interface CompanionPageParts {
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly themes: ReadonlyMap<string, Theme>
  readonly brands: Brands
  /** Folder of the built web application. Undefined in development, where there is no service worker. */
  readonly webFolder: string | undefined
}

/** Serves the files the companion page needs to be installable and to work offline. */
export async function serveCompanionPage(parts: CompanionPageParts): Promise<void> {
  const { fastify, facts, themes, brands } = parts
  const hidden = { schema: { hide: true } }
  const onUserHost = (request: Parameters<typeof facts>[0]) => {
    const known = facts(request)
    if (known.variant !== 'user') throw new NotFound()
    return known
  }
  fastify.get(`${place}.webmanifest`, hidden, async (request, reply) => {
    const brand = await brands.of(onUserHost(request))
    const body = JSON.stringify(manifest(brand.name, themeOf(themes, brand)))
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(body)
  })
  if (parts.webFolder === undefined) return
  const worker = await readFile(join(parts.webFolder, 'companion-worker.js'), 'utf8')
  fastify.get(`${place}.worker.js`, hidden, (request, reply) => {
    onUserHost(request)
    return reply
      .headers({
        // browsers check for a new worker when the page is opened
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'; script-src 'self'",
      })
      .type('text/javascript; charset=utf-8')
      .send(worker)
  })
}
