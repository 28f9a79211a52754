import { deviceCall } from './device-session.ts'

/** Whether this browser supports push. On iPhones only home screen apps do. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Registers the service worker, which shows push messages and caches the page for offline use. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  await navigator.serviceWorker.register('/companion-app.worker.js', { scope: '/companion-app' })
  const { active } = await navigator.serviceWorker.ready
  // files loaded before the worker started didn't pass through it
  const files = performance.getEntriesByType('resource').map(({ name }) => name)
  active?.postMessage({ keep: files })
}

/** Requests permission and subscribes; returns false if the user or the browser denies it. */
export async function turnPushOn(pushKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const worker = await navigator.serviceWorker.ready
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) return false
  const body = { subscription: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } }
  await deviceCall('POST /api/v4/companion/push', { body })
  return true
}

export async function turnPushOff(): Promise<void> {
  await deviceCall('POST /api/v4/companion/push', { body: { subscription: null } })
  const worker = await navigator.serviceWorker.getRegistration('/companion-app')
  const subscription = await worker?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}
