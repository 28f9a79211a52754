import { domainStatus, domainType, hasBit, userStatus } from '@gatehouse/contract/status'
import type { processState as processStateSchema, processStep } from '@gatehouse/contract/users'
import type { z } from 'zod'
import type { Translate } from '../platform/i18n/translator.ts'

export type ProcessStep = z.infer<typeof processStep>
export type ProcessState = z.infer<typeof processStateSchema>

/** The domain of a user's address, as far as set-up depends on it. */
export interface ProcessDomain {
  readonly id: number
  readonly status: number
  readonly type: number
}

/** An object that is older and still not ready has failed to be set up, in seconds. */
const patience = 180

/** The steps that make a user ready, followed by those of the domain unless it is public; reference §4. */
export function userProcess(
  user: { readonly status: number },
  domain: ProcessDomain | undefined,
  withLdap: boolean,
  t: Translate,
): ProcessStep[] {
  const has = (bit: number) => hasBit(user.status, bit)
  const steps: ProcessStep[] = [{ label: 'user-new', title: t('process-user-new'), state: true }]
  if (withLdap) {
    steps.push({
      label: 'user-ldap-ready',
      title: t('process-user-ldap-ready'),
      state: has(userStatus.ldapReady),
    })
  }
  steps.push({
    label: 'user-imap-ready',
    title: t('process-user-imap-ready'),
    state: has(userStatus.imapReady),
  })
  if (domain !== undefined && !hasBit(domain.type, domainType.public)) {
    steps.push(...domainProcess(domain, withLdap, t))
  }
  return steps
}

/** The steps that make a domain ready; the last one links to where the owner confirms it. */
export function domainProcess(domain: ProcessDomain, withLdap: boolean, t: Translate): ProcessStep[] {
  const has = (bit: number) => hasBit(domain.status, bit)
  return [
    { label: 'domain-new', title: t('process-domain-new'), state: true },
    ...(withLdap
      ? [
          {
            label: 'domain-ldap-ready',
            title: t('process-domain-ldap-ready'),
            state: has(domainStatus.ldapReady),
          },
        ]
      : []),
    { label: 'domain-verified', title: t('process-domain-verified'), state: has(domainStatus.verified) },
    {
      label: 'domain-confirmed',
      title: t('process-domain-confirmed'),
      state: has(domainStatus.confirmed),
      link: `/domain/${domain.id}`,
    },
  ]
}

/** Done when every step is; failed when that takes longer than three minutes. */
export function processState(steps: readonly ProcessStep[], createdAt: Date, now: Date): ProcessState {
  if (steps.every((step) => step.state)) return 'done'
  return now.getTime() - createdAt.getTime() > patience * 1000 ? 'failed' : 'running'
}
