import { createStore } from '../../../state/store.ts'
import { type DeviceKind, devicesOf } from './capture.ts'

/** The devices of the system. Before somebody has allowed one they have no names, and are not listed. */
export type DeviceList = Readonly<Record<DeviceKind, readonly { id: string; label: string }[]>>

const store = createStore<DeviceList>({ microphone: [], camera: [] })

export const deviceList = { get: store.get, set: store.set, update: store.update, subscribe: store.subscribe }

/** Reads the list again. */
export async function readDevices(): Promise<void> {
  const found = (await devicesOf()?.enumerateDevices?.()) ?? []
  const of = (kind: MediaDeviceKind) =>
    found
      // Chromium lists the default a second time under an id of its own.
      .filter((device) => device.kind === kind && device.label && device.deviceId !== 'communications')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  store.set({ microphone: of('audioinput'), camera: of('videoinput') })
}

/** Follows what is plugged in and pulled out, until the answer is called. */
export function watchDevices(): () => void {
  const follow = () => void readDevices()
  const media = devicesOf()
  media?.addEventListener?.('devicechange', follow)
  follow()
  return () => media?.removeEventListener?.('devicechange', follow)
}
