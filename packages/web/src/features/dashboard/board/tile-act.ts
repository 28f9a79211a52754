import type { Overview } from '@gatehouse/contract/overview'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import IconUsersPlus from '@tabler/icons-react/dist/esm/icons/IconUsersPlus.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import { meetingPath, startPath } from '../../../platform/navigation/meeting-address.ts'
import { hasPermission, type UserInfo } from '../../../platform/session/auth.ts'
import type { Glyph } from '../../../ui/icon.tsx'

/** The most common action in the area of a tile, one click away. */
export interface TileAct {
  label: string
  icon: Glyph
  to: string
  search?: Record<string, string>
  /** Opens in a new tab, so that the portal's page stays. */
  isMeeting?: boolean
}

const creations: Readonly<Record<string, { label: MessageKey; to: string }>> = {
  domains: { label: 'words.newDomain', to: '/domain/new' },
  distlists: { label: 'words.newDistributionList', to: '/distlist/new' },
  resources: { label: 'words.newResource', to: '/resource/new' },
  folders: { label: 'dashboard.newSharedFolder', to: '/shared-folder/new' },
}

/** The action of a tile, if the user may perform it; undefined: none. */
export function tileAct(
  name: string,
  user: UserInfo,
  own: Overview | undefined,
  t: Translate,
): TileAct | undefined {
  const isPaid = !user.isDegraded && !user.isAccountDegraded
  const isBorrowed = user.impersonatedBy !== undefined
  const creation = creations[name]
  if (creation) return isPaid ? { ...creation, label: t(creation.label), icon: IconPlus } : undefined
  switch (name) {
    case 'account':
      return hasPermission('delegation', user) && !isBorrowed
        ? {
            ...{ label: t('dashboard.addDelegate'), icon: IconUserPlus },
            ...{ to: '/settings', search: { tab: 'delegation', add: '1' } },
          }
        : undefined
    case 'users':
      return isPaid && !isBorrowed
        ? { label: t('words.addPeople'), icon: IconUsersPlus, to: '/users/add' }
        : undefined
    case 'wallet':
      return hasPermission('walletPayments', user)
        ? { label: t('dashboard.doTopUp'), icon: IconPlus, to: '/wallet', search: { pay: '1' } }
        : undefined
    case 'rooms':
      return own && roomAct(own, t)
    case 'invitations':
      return {
        ...{ label: t('dashboard.invite'), icon: IconPlus },
        ...{ to: '/invitations', search: { invite: '1' } },
      }
    default:
      return undefined
  }
}

function roomAct({ rooms, canCreateRooms }: Overview, t: Translate): TileAct | undefined {
  if (!rooms?.suggested) {
    return canCreateRooms ? { label: t('dashboard.newRoom'), icon: IconPlus, to: '/room/new' } : undefined
  }
  const { name, title } = rooms.suggested
  const isOpen = rooms.open > 0
  return {
    label: t(isOpen ? 'dashboard.joinRoom' : 'dashboard.startRoom', { room: title }),
    icon: IconVideo,
    // with others in the room, people want to see themselves before they are seen
    to: isOpen ? meetingPath(name) : startPath(name),
    isMeeting: true,
  }
}
