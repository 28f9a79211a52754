import type { Overview } from '@gatehouse/contract/overview'
import type { MessageKey } from '../../i18n/areas.ts'

export interface FirstStep {
  name: string
  title: MessageKey
  text: MessageKey
  to: string
  isDone: boolean
}

/** Whether the account is empty and the user may fill it. */
export function isEmptyAccount(overview: Overview): boolean {
  const { canCreateUsers, users, distlists, resources, folders, rooms, files } = overview
  const things = [distlists, resources, folders, rooms].some((area) => area !== null && area.total > 0)
  return canCreateUsers && (users?.total ?? 0) <= 1 && !things && (files?.used ?? 0) === 0
}

/**
 * Returns the permitted first steps. Users who can have a domain start with it, because addresses depend on
 * it.
 */
export function firstSteps(overview: Overview): FirstStep[] {
  const { security, domains, users, rooms, files, canCreateUsers, canCreateRooms, canAddFiles } = overview
  const steps: (FirstStep | false)[] = [
    {
      name: 'protect',
      title: 'dashboard.stepProtect',
      text: 'dashboard.stepProtectText',
      to: '/security',
      isDone: security.isProtected,
    },
    domains !== null && {
      name: 'domain',
      title: 'dashboard.stepDomain',
      text: 'dashboard.stepDomainText',
      to: domains.total > 0 ? '/domains' : '/domain/new',
      isDone: domains.total > 0,
    },
    canCreateUsers && {
      name: 'user',
      title: 'dashboard.stepUser',
      text: 'dashboard.stepUserText',
      to: '/user/new',
      isDone: (users?.total ?? 0) > 1,
    },
    canCreateRooms && {
      name: 'room',
      title: 'dashboard.stepRoom',
      text: 'dashboard.stepRoomText',
      to: '/room/new',
      isDone: (rooms?.total ?? 0) > 0,
    },
    canAddFiles && {
      name: 'file',
      title: 'dashboard.stepFile',
      text: 'dashboard.stepFileText',
      to: '/files',
      isDone: (files?.used ?? 0) > 0,
    },
  ]
  return steps.filter((step) => step !== false)
}
