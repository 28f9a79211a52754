/**
 * The service worker of the companion page: shows push messages, and caches the page and its files for offline
 * use. API responses are never cached.
 */

/** The parts of a worker used here; worker and page types can't be combined. */
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'message', listener: (event: Told) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(type: 'push', listener: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', listener: (event: Pressed) => void): void
  skipWaiting(): Promise<void>
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly { url: string; focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void
}

interface Told extends Lasting {
  readonly data: unknown
}

interface Fetching {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null
}

interface Pressed extends Lasting {
  readonly notification: Notification
}

const worker = globalThis as unknown as Worker // this file only runs in a worker

const page = '/companion-app'
const cacheName = 'companion-1'

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('companion-') && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

worker.addEventListener('message', (event) => event.waitUntil(keep(readFiles(event.data))))

/** Caches the page with its files and deletes those of earlier releases. */
async function keep(files: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  const wanted = new Set(files.filter(isKept))
  for (const { url } of await cache.keys()) {
    if (isLasting(url) && !wanted.has(url)) await cache.delete(url)
  }
  for (const url of [page, ...wanted]) if (!(await kept(cache, url))) await cache.add(url)
}

/** Returns the cached response for a URL, in any language or encoding. */
function kept(cache: Cache, of: Request | string): Promise<Response | undefined> {
  return cache.match(of, { ignoreVary: true })
}

/** Parses file URLs from the page's message; no one else can send one. */
function readFiles(message: unknown): string[] {
  const { keep: files }: { keep?: unknown } = typeof message === 'object' && message !== null ? message : {}
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(freshElseKept(request))
  else if (isKept(request.url)) event.respondWith(keptElseFresh(request))
})

/** Whether a URL is one of our files, and not an API response. */
function isKept(url: string): boolean {
  const { pathname, origin } = new URL(url, globalThis.location.origin)
  return origin === globalThis.location.origin && /^\/(assets|themes)\//.test(pathname)
}

/** Release files never change under the same name. */
function isLasting(url: string): boolean {
  return new URL(url).pathname.startsWith('/assets/')
}

/** Network first: the server's current page, or the cached one while offline. */
async function freshElseKept(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(page, answer.clone())
    return answer
  } catch (failure) {
    const before = await kept(cache, page)
    if (before) return before
    throw failure
  }
}

/** Cache first for immutable files; theme files come from the network while online. */
async function keptElseFresh(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const before = await kept(cache, request)
  if (before && isLasting(request.url)) return before
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch (failure) {
    if (before) return before
    throw failure
  }
}

worker.addEventListener('push', (event) => event.waitUntil(show(event.data?.json())))

/** Browsers require every push message to be shown, whatever its content. */
async function show(message: unknown): Promise<void> {
  const { title, body, token } = readMessage(message)
  await worker.registration.showNotification(title, {
    body,
    // a newer message about the same sign-in replaces the previous one
    tag: token || 'companion',
    requireInteraction: token !== '',
  })
}

function readMessage(message: unknown): { title: string; body: string; token: string } {
  const facts: Record<string, unknown> = typeof message === 'object' && message !== null ? { ...message } : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { title: text(facts.title) || '•', body: text(facts.body), token: text(facts.token) }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage())
})

async function openPage(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window' })
  const open = windows.find(({ url }) => new URL(url).pathname === page)
  await (open ? open.focus() : worker.clients.openWindow(page))
}
