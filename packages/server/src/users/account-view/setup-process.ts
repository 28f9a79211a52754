import type { processState as processStateSchema, processStep } from '@gatehouse/contract/directory/users'
import { domainStatus, domainType, hasBit, userStatus } from '@gatehouse/contract/status'
import type { z } from 'zod'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { WorkState } from '../../platform/provision/provisioning-store.ts'

export type ProcessStep = z.infer<typeof processStep>
export type ProcessState = z.infer<typeof processStateSchema>

/** The setup-related part of a user's domain. */
export interface ProcessDomain {
  readonly id: number
  readonly status: number
  readonly type: number
}

/** Seconds before a step without known work counts as failed. */
const patience = 180

/** Returns the steps that make a user ready, then those of the domain unless it is public; reference §4. */
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

/** Returns the steps that make a domain ready; the last one links to its confirmation. */
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

/** Progress of steps processed elsewhere, by `kind-step`, such as `user-backend`. */
export type StepWork = Readonly<Partial<Record<string, WorkState>>>

/**
 * Done when every step is; failed if a step's last attempt failed, or the next step waits for a person. For
 * steps without a record (older than records, or the job was lost), only their age decides.
 */
export function processState(
  steps: readonly ProcessStep[],
  work: StepWork,
  createdAt: Date,
  now: Date,
): ProcessState {
  const open = steps.filter((step) => !step.state)
  const [next] = open
  if (next === undefined) return 'done'
  if (open.some((step) => workOn(step, work) === 'failed')) return 'failed'
  if (next.label === 'domain-confirmed') return 'failed'
  const state = workOn(next, work)
  if (state === undefined) return now.getTime() - createdAt.getTime() > patience * 1000 ? 'failed' : 'running'
  // the work has ended without completing the step: a person must change something first
  return state === 'done' ? 'failed' : 'running'
}

/** Both groupware steps share one piece of work; the others have their own. */
function workOn({ label }: ProcessStep, work: StepWork): WorkState | undefined {
  const own = label.replace(/-(ldap|imap)-ready$/, '-backend').replace(/^distlist-/, 'group-')
  return work[own]
}

/** Returns the first open step. */
export function nextStep({ process }: { readonly process: readonly ProcessStep[] }): ProcessStep | undefined {
  return process.find((step) => !step.state)
}
