import type { ObjectStatusInfo } from '@gatehouse/contract/directory/directory'
import { kinds } from '@gatehouse/contract/directory/kinds'
import { domainType, hasBit } from '@gatehouse/contract/status'
import type { PresentFacts } from '../../users/account-view/present.ts'
import { domainProcess, type ProcessStep, processState } from '../../users/account-view/setup-process.ts'
import { type DirectoryObject, mailboxFlags, objectFlags } from './object.ts'
import type { ObjectSetup } from './object-store.ts'

type Facts = Pick<PresentFacts, 'now' | 't' | 'withLdap'>

/**
 * Returns the set-up progress of an object: its own steps, then those of its domain; reference api-objects §4.
 * Without a directory server, a list has a step for the mail system, so that "done" means that mail arrives.
 */
export function objectStatusInfo(
  object: DirectoryObject,
  setup: ObjectSetup,
  facts: Facts,
): ObjectStatusInfo {
  const { t, withLdap, now } = facts
  const process = ownSteps(object, facts)
  if (setup.domain !== undefined && !hasBit(setup.domain.type, domainType.public)) {
    process.push(...domainProcess(setup.domain, withLdap, t))
  }
  const state = processState(process, setup.work, object.createdAt, now)
  return { process, processState: state, isDone: state === 'done' }
}

function ownSteps(object: DirectoryObject, { t, withLdap }: Facts): ProcessStep[] {
  const { label } = kinds[object.kind]
  const isGroup = object.kind === 'group'
  const { isActive, isLdapReady = false } = objectFlags(object, withLdap)
  const isStored = isGroup ? isActive : mailboxFlags(object, withLdap).isImapReady
  return [
    { label: `${label}-new`, title: t(`process-${label}-new`), state: true },
    ...(withLdap
      ? [{ label: `${label}-ldap-ready`, title: t(`process-${label}-ldap-ready`), state: isLdapReady }]
      : []),
    ...(isGroup && withLdap
      ? []
      : [{ label: `${label}-imap-ready`, title: t(`process-${label}-imap-ready`), state: isStored }]),
  ]
}
