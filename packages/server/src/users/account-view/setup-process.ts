import type { processState as processStateSchema, processStep } from '@gatehouse/contract/directory/users'
import { domainStatus, domainType, hasBit, userStatus } from '@gatehouse/contract/status'
import type { z } from 'zod'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { WorkState } from '../../platform/provision/provisioning-store.ts'

export type ProcessStep = z.infer<typeof processStep>
export type ProcessState = z.infer<typeof processStateSchema>

/** The domain of a user's address, as far as set-up depends on it. */
export interface ProcessDomain {
  readonly id: number
  readonly status: number
  readonly type: number
}

/** Seconds after which a step that nobody is known to work on has failed. */
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

/** How far the work on a step is that somebody else has to do, by `kind-step`, as `user-backend`. */
export type StepWork = Readonly<Partial<Record<string, WorkState>>>

/**
 * Done when every step is; failed when the last try of one did, or when the next one waits for a person. What
 * there is no record of was begun before there were records, or its job was lost: nothing but its age tells.
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
  // the work is over and the step is not: somebody has to change something first
  return state === 'done' ? 'failed' : 'running'
}

/** Both steps of the groupware are one piece of work; the others have their own. */
function workOn({ label }: ProcessStep, work: StepWork): WorkState | undefined {
  const own = label.replace(/-(ldap|imap)-ready$/, '-backend').replace(/^distlist-/, 'group-')
  return work[own]
}

/** The first step that is still open. */
export function nextStep({ process }: { readonly process: readonly ProcessStep[] }): ProcessStep | undefined {
  return process.find((step) => !step.state)
}
