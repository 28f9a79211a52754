/**
 * The worker of the companion page: shows push messages, and keeps the page and its files for times without a
 * network. What the API says is never kept.
 */

/** As much of a worker as is used here; the types of workers and of pages cannot be had together. */
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

const worker = globalThis as unknown as Worker // this file runs in a worker and nowhere else

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

/** Keeps the page with the files that it was made of, and no longer those of a release before. */
async function keep(files: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  const wanted = new Set(files.filter(isKept))
  for (const { url } of await cache.keys()) {
    if (isLasting(url) && !wanted.has(url)) await cache.delete(url)
  }
  for (const url of [page, ...wanted]) if (!(await kept(cache, url))) await cache.add(url)
}

/** What is kept under an address, in whatever language or encoding it was asked for. */
function kept(cache: Cache, of: Request | string): Promise<Response | undefined> {
  return cache.match(of, { ignoreVary: true })
}

/** Addresses of files in a message of the page; nobody else can send one. */
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

/** Files of ours, which are no answers of the API. */
function isKept(url: string): boolean {
  const { pathname, origin } = new URL(url, globalThis.location.origin)
  return origin === globalThis.location.origin && /^\/(assets|themes)\//.test(pathname)
}

/** Files of a release never change under their name. */
function isLasting(url: string): boolean {
  return new URL(url).pathname.startsWith('/assets/')
}

/** The page as the server has it now; what was kept of it while there is no network. */
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

/** What never changes as it was kept; files of the theme are asked for anew while there is a network. */
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

/** Browsers demand that every message is shown, whatever is in it. */
async function show(message: unknown): Promise<void> {
  const { title, body, token } = readMessage(message)
  await worker.registration.showNotification(title, {
    body,
    // a newer message about the same sign-in takes the place of the one before
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
