import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconDoor from '@tabler/icons-react/dist/esm/icons/IconDoor.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconShield from '@tabler/icons-react/dist/esm/icons/IconShield.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import IconWallet from '@tabler/icons-react/dist/esm/icons/IconWallet.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { config, type Variant } from '../../../platform/config.ts'
import { hasPermission, type Permission, type UserInfo } from '../../../platform/session/auth.ts'
import type { Glyph } from '../../../ui/icon.tsx'

/** A tile of the dashboard. */
export interface TileEntry {
  name: string
  to: string
  title: MessageKey
  icon: Glyph
  perm?: Permission
  beta?: true
  /** Width in columns. */
  width?: 2
  external?: true
}

const account: TileEntry = {
  name: 'account',
  to: '/settings',
  title: 'words.myAccount',
  icon: IconUser,
}
const wallet: TileEntry = {
  name: 'wallet',
  to: '/wallet',
  title: 'words.wallet',
  icon: IconWallet,
  perm: 'wallets',
  width: 2,
}
const stats: TileEntry = {
  name: 'stats',
  to: '/stats',
  title: 'words.statistics',
  icon: IconChartBar,
}
const invitations: TileEntry = {
  name: 'invitations',
  to: '/invitations',
  title: 'words.invitations',
  icon: IconSend,
}

const operations: TileEntry = {
  name: 'operations',
  to: '/operations',
  title: 'cockpit.operations',
  icon: IconActivity,
}
const approvals: TileEntry = {
  name: 'approvals',
  to: '/approvals',
  title: 'cockpit.approvals',
  icon: IconUserCheck,
}
const tenants: TileEntry = {
  name: 'tenants',
  to: '/tenants',
  title: 'cockpit.tenants',
  icon: IconBuilding,
}
const ownTenant: TileEntry = {
  name: 'tenant',
  to: '/tenant/own',
  title: 'cockpit.tenant',
  icon: IconBuilding,
}

/** In the order of the product. */
const userTiles: readonly TileEntry[] = [
  account,
  {
    name: 'domains',
    to: '/domains',
    title: 'words.domains',
    icon: IconWorld,
    perm: 'domains',
  },
  {
    name: 'users',
    to: '/users',
    title: 'dashboard.users',
    icon: IconUsers,
    perm: 'users',
  },
  {
    name: 'distlists',
    to: '/distlists',
    title: 'words.distributionLists',
    icon: IconList,
    perm: 'distlists',
  },
  {
    name: 'resources',
    to: '/resources',
    title: 'words.resources',
    icon: IconDoor,
    perm: 'resources',
    beta: true,
  },
  {
    name: 'folders',
    to: '/shared-folders',
    title: 'words.sharedFolders',
    icon: IconFolder,
    perm: 'folders',
  },
  wallet,
  {
    name: 'rooms',
    to: '/rooms',
    title: 'dashboard.rooms',
    icon: IconVideo,
    perm: 'rooms',
    beta: true,
  },
  {
    name: 'files',
    to: '/files',
    title: 'words.files',
    icon: IconFileText,
    perm: 'files',
    beta: true,
  },
  {
    name: 'policies',
    to: '/policies',
    title: 'words.policies',
    icon: IconShield,
    perm: 'settings',
  },
  {
    name: 'webmail',
    to: '',
    title: 'words.webmail',
    icon: IconMail,
    external: true,
  },
  {
    name: 'companions',
    to: '/companions',
    title: 'words.companionApp',
    icon: IconDeviceMobile,
    perm: 'companionapps',
    beta: true,
  },
]

const tiles: Record<Variant, readonly TileEntry[]> = {
  user: userTiles,
  admin: [stats, tenants, approvals, operations],
  reseller: [wallet, invitations, { ...stats, width: 2 }, approvals, ownTenant],
}

/** Returns the tiles the user may open, in product order. */
export function tilesFor(variant: Variant, user: UserInfo): TileEntry[] {
  const webmail = config['app.webmail_url']
  return tiles[variant]
    .filter(({ perm }) => !perm || hasPermission(perm, user))
    .filter(({ external }) => !external || webmail)
    .map((tile) => (tile.external ? { ...tile, to: webmail ?? '' } : tile))
}

/** Returns the free columns of the last row if they suffice for wide content; otherwise a full row. */
export function restOf(taken: readonly number[], columns: number): number {
  const used = taken.reduce((sum, width) => sum + width, 0) % columns
  return columns - used < 2 ? columns : columns - used
}

/**
 * Returns the columns of each tile: the tile before a gap fills it, and so does the last one if a single
 * column is left.
 */
export function spans(widths: readonly number[], columns: number): number[] {
  const result: number[] = []
  let used = 0
  for (const width of widths) {
    const wanted = Math.min(width, columns)
    if (used + wanted > columns) {
      result.push((result.pop() ?? 0) + columns - used)
      used = 0
    }
    result.push(wanted)
    used = (used + wanted) % columns
  }
  if (used === columns - 1) result.push((result.pop() ?? 0) + 1)
  return result
}
