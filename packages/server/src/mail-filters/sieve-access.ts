import type { BackendSettings } from '../provisioning/backend-settings.ts'
import type { SieveAccess } from '../provisioning/managesieve/session.ts'

/** The settings of the mail server that filters are uploaded to. */
export type SieveSettings = Pick<
  BackendSettings,
  'GROUPWARE_BACKEND' | 'CYRUS_SIEVE' | 'CYRUS_ADMIN' | 'CYRUS_ADMIN_PASSWORD'
>

/** Returns how to reach the server; undefined if none is connected. */
export function sieveAccess(config: SieveSettings): SieveAccess | undefined {
  const { CYRUS_SIEVE: place, CYRUS_ADMIN: name, CYRUS_ADMIN_PASSWORD: password } = config
  if (config.GROUPWARE_BACKEND !== 'cyrus' || password === undefined) return undefined
  const { hostname, port } = new URL(`sieve://${place}`)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port), name, password }
}
