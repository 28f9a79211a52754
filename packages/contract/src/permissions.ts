/** Permissions sent to the client as `statusInfo.enable<Name>`; specification §6, screens reference §5. */
export const permissions = [
  'beta',
  'companionapps',
  'delegation',
  'distlists',
  'domains',
  'files',
  'folders',
  'loginAs',
  'mailfilter',
  'resources',
  'rooms',
  'settings',
  'subscriptions',
  'users',
  'walletMandates',
  'walletPayments',
  'wallets',
] as const

export type Permission = (typeof permissions)[number]

export type PermissionFlag = `enable${Capitalize<Permission>}`

/** The flag for a permission: `wallets` → `enableWallets`. */
export function permissionFlag(permission: Permission): PermissionFlag {
  const name = permission.charAt(0).toUpperCase() + permission.slice(1)
  return `enable${name}` as PermissionFlag // capitalising a Permission yields exactly this template type
}
