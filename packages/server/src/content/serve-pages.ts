import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../platform/http/api.ts'
import { chosenScheme } from '../platform/http/connections/chosen-scheme.ts'
import { HttpError, message, NotFound } from '../platform/http/errors.ts'
import type { Brands } from '../tenants/brand.ts'
import type { PageHost, PageNonces } from './page-host.ts'
import type { Theme } from './theme.ts'
import { themeStylesheet } from './theme-stylesheet.ts'

export interface PageParts {
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  readonly host: PageHost
  readonly themes: ReadonlyMap<string, Theme>
  readonly brands: Brands
  /** Folder of the built web application. */
  readonly webFolder: string
  /** Whether pages load their scripts from the development server. */
  readonly development: boolean
  /** Origin of file contents. Undefined: the page's own origin. */
  readonly contentOrigin: string | undefined
}

const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The worker that hashes uploads in WebAssembly. It has its own CSP, so pages need not allow WebAssembly. */
const hashWorker = /^\/assets\/hash-worker-[\w-]+\.js$/
const hashWorkerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** Paths that are never pages of the application. An unknown one is answered with an error. */
const notPages =
  /^\/((api|content|themes|assets|dev|\.well-known)(\/|$)|oauth\/(?!(authorize|device|sign-out)\/?$))/

/** Serves the application's files, the theme's files and the single page for every other URL. */
export async function servePages(parts: PageParts): Promise<void> {
  const { fastify, brands } = parts
  if (!parts.development) {
    const assets = { root: join(parts.webFolder, 'assets'), prefix: '/assets/', preCompressed: true }
    await serveFiles(fastify, assets, `public, max-age=${365 * 24 * 3600}, immutable`)
  }
  for (const theme of parts.themes.values()) await serveTheme(fastify, theme)
  fastify.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    if (notPages.test(path)) throw new NotFound()
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(405, message('http.405'))
    const facts = parts.facts(request)
    const { variant, language } = facts
    const scheme = chosenScheme(request.headers.cookie)
    // rendering a page without a brand is better than failing
    const brand = await brands.of(facts).catch((error: unknown) => {
      request.log.warn({ err: error }, 'reading the brand of a page failed')
      return brands.own
    })
    const nonces = { script: newNonce(), style: newNonce() }
    return reply
      .code(200)
      .headers({
        'content-security-policy': parts.development
          ? // the development server injects its own scripts and styles
            "frame-ancestors 'none'"
          : contentSecurityPolicy(nonces, parts.contentOrigin),
        'cache-control': 'no-store',
        vary: 'accept-language, cookie',
      })
      .type('text/html; charset=utf-8')
      .send(parts.host.page({ brand, variant, language, scheme, path, nonces }))
  })
}

/** Serves the files of a theme. Missing ones come from the theme it extends. */
async function serveTheme(fastify: FastifyInstance, theme: Theme): Promise<void> {
  const root = theme.folders.map((folder) => join(folder, 'images'))
  await serveFiles(fastify, { root, prefix: `/themes/${theme.name}/images/` }, 'public, max-age=3600')
  const stylesheet = themeStylesheet(theme)
  fastify.get(`/themes/${theme.name}/theme.css`, { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(stylesheet),
  )
  fastify.get<{ Params: { file: string } }>(
    `/themes/${theme.name}/strings/:file`,
    { schema: { hide: true } },
    (request, reply) => {
      const language = Object.entries(theme.strings).find(([code]) => request.params.file === `${code}.json`)
      if (language === undefined) throw new NotFound()
      return reply.header('cache-control', 'public, max-age=3600').send(language[1])
    },
  )
}

/**
 * Serves static files. The given headers override the default response headers, which the library's own
 * options can't do.
 */
async function serveFiles(
  fastify: FastifyInstance,
  files: FastifyStaticOptions,
  caching: string,
): Promise<void> {
  await fastify.register(async (scope) => {
    scope.addHook('onSend', async (request, reply) => {
      if (reply.statusCode >= 400) return
      const policy = hashWorker.test(request.url) ? hashWorkerPolicy : filePolicy
      reply.headers({ 'cache-control': caching, 'content-security-policy': policy })
    })
    await scope.register(fastifyStatic, { ...files, cacheControl: false, decorateReply: false })
  })
}

function newNonce(): string {
  return randomBytes(16).toString('base64')
}

/**
 * Returns two policies, both of which apply. The first requires scripts to carry the page's nonce or to be
 * loaded by one that does. On its own it would accept an injected `modulepreload`, which counts as loaded by a
 * script, so the second one only allows our own origin.
 */
function contentSecurityPolicy(nonces: PageNonces, contentOrigin: string | undefined): string {
  const content = contentOrigin === undefined ? '' : ` ${contentOrigin}`
  const page = [
    "default-src 'none'",
    `script-src 'nonce-${nonces.script}' 'strict-dynamic'`,
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonces.style}'`,
    `img-src 'self' data: blob:${content}`,
    "font-src 'self'",
    `connect-src 'self'${content}`,
    `media-src 'self' blob:${content}`,
    // file previews, which carry their own sandbox
    `frame-src 'self'${content}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return `${page.join('; ')}, script-src 'self'`
}
