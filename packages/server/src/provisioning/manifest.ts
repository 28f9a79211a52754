import type { Clock } from '../platform/clock.ts'
import type { HealthCheck } from '../platform/health/health-check.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import { type BackendSettings, backendSettings, cyrusSettingsProblem } from './backend-settings.ts'
import { countOpenWork } from './health-store.ts'

/** Checks whether the back end answers, by a command that needs its databases, and is in sync. */
const provisioningCheck: HealthCheck<BackendSettings> = {
  name: 'provisioning',
  async ask({ config, db, clock }) {
    const { failed, waiting } = await countOpenWork(db)
    const error = config.GROUPWARE_BACKEND === 'cyrus' ? await storeError(config, clock) : null
    const state = failed > 0 || error !== null ? 'degraded' : 'ok'
    return { state, facts: { failed, waiting, error } }
  },
}

/** Returns why the store doesn't work, in its own words; null if it does. */
async function storeError(config: BackendSettings, clock: Clock): Promise<string | null> {
  const { openCyrus } = await import('./open-backend.ts')
  const backend = openCyrus(config, clock)
  try {
    await backend.check()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    backend.close()
  }
}

export const provisioning = {
  settings: { Groupware: backendSettings },
  contradictions: [cyrusSettingsProblem],
  health: [provisioningCheck],
} satisfies RoomManifest<BackendSettings>
