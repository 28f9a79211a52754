import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds to wait for a start or stop. */
const patience = 120_000
const interval = 30

/** Waits until something holds. Throws with the complaint after two minutes. */
export async function waitUntil(holds: () => Promise<boolean>, complaint: string): Promise<void> {
  const end = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(complaint)
    await pause(interval)
  }
}

/** Whether something listens at an `address:port` or a socket path. */
export function accepts(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const [host, port] = address.split(':')
    const socket = address.startsWith('/') ? connect(address) : connect(Number(port), host)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Whether something listens at each of the addresses. */
export async function acceptAll(addresses: readonly string[]): Promise<boolean> {
  return (await Promise.all(addresses.map(accepts))).every(Boolean)
}
