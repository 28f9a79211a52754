import { type HealthPart, healthParts, type operationRoutes } from '@gatehouse/contract/staff/operations'
import type { z } from 'zod'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { CheckedPart } from '../../platform/health/health-check.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'

type Health = z.input<(typeof operationRoutes)['GET /api/v4/health']['ok']>

/** Runs the health checks of all rooms. */
export type AskHealth = () => Promise<readonly CheckedPart[]>

interface Parts {
  readonly config: Pick<SiteConfig, 'build'>
  readonly clock: Clock
  readonly askHealth: AskHealth
}

/** Returns the health of all parts of the installation, in the order of the contract. */
export async function readHealth({ config, clock, askHealth }: Parts, t: Translate): Promise<Health> {
  const checkedAt = wireDate(clock.now())
  const parts = (await askHealth())
    .map<HealthPart>(({ name, state, facts }) => ({ name, state, message: t(texts[state]), facts }))
    .sort((one, other) => healthParts.indexOf(one.name) - healthParts.indexOf(other.name))
  return { state: worst(parts), checkedAt, version: config.build, parts }
}

const texts = {
  ok: 'operations.health-ok',
  degraded: 'operations.health-degraded',
  down: 'operations.health-down',
  unused: 'operations.health-unused',
} as const

function worst(parts: readonly HealthPart[]): Health['state'] {
  if (parts.some(({ state }) => state === 'down')) return 'down'
  return parts.some(({ state }) => state === 'degraded') ? 'degraded' : 'ok'
}
