import { sha256 } from '../../platform/secrets.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { DiscoverySettings } from './discovery-settings.ts'

/**
 * Returns the MTA-STS policy, by which others must deliver mail to hosted domains over TLS (RFC 8461 §3.2).
 */
export function mtaStsPolicy(
  config: Pick<HostingConfig, 'mailSetup'> &
    Pick<DiscoverySettings, 'MTA_STS' | 'MTA_STS_MODE' | 'MTA_STS_MAX_AGE'>,
): string {
  const given = config.MTA_STS?.split(/[|\r\n]+/).map((line) => line.trim())
  const own = [
    'version: STSv1',
    `mode: ${config.MTA_STS_MODE}`,
    ...config.mailSetup.mx.map(({ host }) => `mx: ${host}`),
    `max_age: ${config.MTA_STS_MAX_AGE}`,
  ]
  return `${(given ?? own).filter((line) => line !== '').join('\n')}\n`
}

/**
 * Returns the `id` for the TXT record `_mta-sts.<domain>`. Servers refetch the policy when it changes, so it
 * is derived from the policy (letters and digits, at most 32; RFC 8461 §3.1).
 */
export function mtaStsId(policy: string): string {
  return sha256(policy).toString('hex').slice(0, 20)
}
