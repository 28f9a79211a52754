import { type Clock, systemClock } from '../platform/clock.ts'
import type { GroupwareBackend } from './backend.ts'
import type { BackendSettings } from './backend-settings.ts'
import { CyrusBackend } from './cyrus/cyrus-backend.ts'
import { NullBackend } from './null-backend.ts'

/** Returns the back end that the settings name. It connects when it is used. */
export function openBackend(settings: BackendSettings, clock: Clock = systemClock): GroupwareBackend {
  return settings.GROUPWARE_BACKEND === 'cyrus' ? openCyrus(settings, clock) : new NullBackend()
}

/** Returns a client of the Cyrus server in the settings. */
export function openCyrus(settings: BackendSettings, clock: Clock): CyrusBackend {
  return new CyrusBackend({
    imap: addressOf(settings.CYRUS_IMAP),
    sieve: addressOf(settings.CYRUS_SIEVE),
    davUrl: settings.CYRUS_DAV_URL,
    keyFile: settings.CYRUS_JWT_KEY_FILE ?? '',
    admin: { name: settings.CYRUS_ADMIN, password: settings.CYRUS_ADMIN_PASSWORD ?? '' },
    connections: settings.CYRUS_CONNECTIONS,
    clock,
  })
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(':')
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
}
