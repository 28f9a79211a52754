import { createStore } from '../../../state/store.ts'
import { type DeviceKind, devicesOf } from './capture.ts'

/** The devices of the system. They have no names until access is granted, so they aren't listed before. */
export type DeviceList = Readonly<Record<DeviceKind, readonly { id: string; label: string }[]>>

const store = createStore<DeviceList>({ microphone: [], camera: [] })

export const deviceList = { get: store.get, set: store.set, update: store.update, subscribe: store.subscribe }

/** Refetches the list. */
export async function readDevices(): Promise<void> {
  const found = (await devicesOf()?.enumerateDevices?.()) ?? []
  const of = (kind: MediaDeviceKind) =>
    found
      // Chromium lists the default device again under its own id.
      .filter((device) => device.kind === kind && device.label && device.deviceId !== 'communications')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  store.set({ microphone: of('audioinput'), camera: of('videoinput') })
}

/** Follows connected and disconnected devices until the returned function is called. */
export function watchDevices(): () => void {
  const follow = () => void readDevices()
  const media = devicesOf()
  media?.addEventListener?.('devicechange', follow)
  follow()
  return () => media?.removeEventListener?.('devicechange', follow)
}
