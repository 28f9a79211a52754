/**
 * The worker of the companion page: shows push messages, and keeps the page and its files for times without a
 * network. What the API says is never kept.
 */

/** As much of a worker as is used here; the types of workers and of pages cannot be had together. */
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
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

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (request.method !== 'GET' || origin !== globalThis.location.origin) return
  if (request.mode === 'navigate') event.respondWith(freshElseKept(request))
  else if (/^\/(assets|themes)\//.test(pathname)) event.respondWith(keptElseFresh(request))
})

/** The page as the server has it now; what was kept of it while there is no network. */
async function freshElseKept(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(page, answer.clone())
    return answer
  } catch (failure) {
    const kept = await cache.match(page)
    if (kept) return kept
    throw failure
  }
}

/** Files of a release never change under their name; those of the theme are asked for anew while there is a network. */
async function keptElseFresh(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request)
  const isLasting = new URL(request.url).pathname.startsWith('/assets/')
  if (kept && isLasting) return kept
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch (failure) {
    if (kept) return kept
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
