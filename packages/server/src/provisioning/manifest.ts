import type { HealthCheck } from '../platform/health/health-check.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import { type BackendSettings, backendSettings } from './backend-settings.ts'
import { countOpenWork } from './health-store.ts'

/** Checks whether the back end is in sync. */
const provisioningCheck: HealthCheck = {
  name: 'provisioning',
  async ask({ db }) {
    const { failed, waiting } = await countOpenWork(db)
    return { state: failed > 0 ? 'degraded' : 'ok', facts: { failed, waiting } }
  },
}

export const provisioning = {
  settings: { Groupware: backendSettings },
  health: [provisioningCheck],
} satisfies RoomManifest<BackendSettings>
