import { LoginPage } from '../../features/login/login-page.tsx'
import { LogoutPage } from '../../features/logout/logout-page.tsx'
import type { RouteEntry } from '../../platform/navigation/route-entry.ts'

const all = ['user', 'admin', 'reseller'] as const
const user = ['user'] as const

const dashboard = () => import('../../features/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage)
const loginAs = () => import('../../features/login-as/login-as-page.tsx').then((m) => m.LoginAsPage)
const signup = () => import('../../features/signup/signup-page.tsx').then((m) => m.SignupPage)
const reset = () =>
  import('../../features/password-reset/password-reset-page.tsx').then((m) => m.PasswordResetPage)
const payment = () =>
  import('../../features/payment-status/payment-status-page.tsx').then((m) => m.PaymentStatusPage)
const policies = () => import('../../features/policies/policies-page.tsx').then((m) => m.PoliciesPage)
const accountOffer = () =>
  import('../../features/account-offer/account-offer-page.tsx').then((m) => m.AccountOfferPage)
const domains = () => import('../../features/domains/domains-page.tsx').then((m) => m.DomainsPage)
const domainPage = () => import('../../features/domains/domain-page.tsx').then((m) => m.DomainPage)
const users = () => import('../../features/users/users-page.tsx').then((m) => m.UsersPage)
const userPage = () => import('../../features/users/user-page.tsx').then((m) => m.UserPage)
const security = () => import('../security-screen.tsx').then((m) => m.SecurityScreen)
const enrol = () => import('../../features/factors/enrol-page.tsx').then((m) => m.EnrolPage)
const settings = () => import('../../features/users/user-page.tsx').then((m) => m.SettingsPage)
const activity = () => import('../../features/activity/activity-page.tsx').then((m) => m.ActivityPage)
const distlists = () => import('../../features/distlists/distlists-page.tsx').then((m) => m.DistlistsPage)
const distlist = () => import('../../features/distlists/distlist-page.tsx').then((m) => m.DistlistPage)
const resources = () => import('../../features/resources/resources-page.tsx').then((m) => m.ResourcesPage)
const resource = () => import('../../features/resources/resource-page.tsx').then((m) => m.ResourcePage)
const folders = () => import('../../features/shared-folders/folders-page.tsx').then((m) => m.FoldersPage)
const folder = () => import('../../features/shared-folders/folder-page.tsx').then((m) => m.FolderPage)
const rooms = () => import('../../features/rooms/rooms-page.tsx').then((m) => m.RoomsPage)
const room = () => import('../../features/rooms/room-page.tsx').then((m) => m.RoomPage)
const meet = () => import('../../features/meet/meet-page.tsx').then((m) => m.MeetPage)
const companions = () => import('../../features/companions/companions-page.tsx').then((m) => m.CompanionsPage)
const companion = () => import('../../features/companions/companion-page.tsx').then((m) => m.CompanionPage)
const wallet = () => import('../../features/wallet/wallet-page.tsx').then((m) => m.WalletPage)
const authorize = () => import('../../features/oauth/authorize-page.tsx').then((m) => m.AuthorizePage)
const device = () => import('../../features/oauth/device-page.tsx').then((m) => m.DevicePage)
const signOut = () => import('../../features/oauth/sign-out-page.tsx').then((m) => m.SignOutPage)
const importPage = () => import('../../features/imports/import-page.tsx').then((m) => m.ImportPage)
const batchPage = () => import('../../features/imports/batch-page.tsx').then((m) => m.BatchPage)
const files = () => import('../../features/files/files-page.tsx').then((m) => m.FilesPage)
const file = () => import('../../features/files/page/file-page.tsx').then((m) => m.FilePage)
const fileLink = () => import('../../features/files/link/link-page.tsx').then((m) => m.LinkPage)
const staticPage = () => import('../../features/pages/static-page.tsx').then((m) => m.StaticPage)

const userTexts = ['users', 'events', 'subscriptions', 'list', 'password', 'setup', 'deletedaddress'] as const
const domainTexts = ['domains', 'copy', 'subscriptions', 'list', 'events', 'setup'] as const
const listTexts = ['directory', 'list', 'bulk'] as const
const fileTexts = ['files', 'list', 'addresses', 'copy'] as const
const importTexts = ['imports', 'bulk', 'list'] as const
const objectTexts = [
  'directory',
  'list',
  'subscriptions',
  'setup',
  'events',
  'addresses',
  'deletedaddress',
] as const

/**
 * The routes of users, and those that every variant has; staff's own come with the cockpit. `{-$name}` may be missing;
 * `$` takes the rest of the path.
 */
export const routeTable: readonly RouteEntry[] = [
  // Open to everybody
  { path: '/login', title: 'menu.login', variants: all, screen: LoginPage },
  {
    path: '/login-as',
    title: 'menu.login',
    variants: user,
    load: loginAs,
    messages: ['impersonation'],
  },
  { path: '/logout', title: 'menu.logout', variants: all, screen: LogoutPage },
  // With and without a rest: one route, so that what was typed survives a change of the plan.
  {
    path: '/signup/$',
    title: 'menu.signup',
    variants: user,
    load: signup,
    messages: ['signup', 'password'],
  },
  {
    path: '/password-reset/{-$code}',
    title: 'title.passwordReset',
    variants: user,
    load: reset,
    messages: ['reset', 'password'],
  },
  // Whoever has the link, signed in or not.
  {
    path: '/link/$token',
    title: 'title.file',
    variants: user,
    load: fileLink,
    messages: ['filelink', 'files', 'list'],
  },
  { path: '/meet/$room', title: 'title.meet', variants: user, load: meet, messages: ['meet', 'copy'] },

  // For signed-in people
  {
    path: '/dashboard',
    title: 'menu.dashboard',
    variants: user,
    auth: true,
    load: dashboard,
    messages: ['dashboard', 'setup', 'recovery'],
  },
  {
    path: '/payment/status',
    title: 'title.payment',
    variants: user,
    auth: true,
    load: payment,
    messages: ['payment'],
  },
  {
    path: '/settings',
    title: 'title.settings',
    variants: user,
    auth: true,
    load: settings,
    messages: userTexts,
  },
  {
    path: '/security',
    title: 'section.security',
    variants: all,
    auth: true,
    load: security,
    messages: ['security', 'recovery'],
  },
  {
    path: '/enrol',
    title: 'section.security',
    variants: all,
    auth: true,
    load: enrol,
    messages: ['factors', 'proof', 'copy'],
  },
  {
    path: '/oauth/authorize',
    title: 'title.authorize',
    variants: user,
    auth: true,
    silent: true,
    load: authorize,
    messages: ['oauth'],
  },
  {
    path: '/oauth/device',
    title: 'title.authorize',
    variants: user,
    auth: true,
    load: device,
    messages: ['oauth'],
  },
  { path: '/oauth/sign-out', title: 'menu.logout', variants: user, load: signOut, messages: ['oauth'] },
  // Without a permission: a shared file opens for anyone who is signed in.
  {
    path: '/file/$file',
    title: 'title.file',
    variants: user,
    auth: true,
    load: file,
    messages: [...fileTexts, 'events'],
  },
  {
    path: '/files/{-$parent}',
    title: 'section.files',
    variants: user,
    auth: true,
    perm: 'files',
    load: files,
    messages: fileTexts,
  },
  {
    path: '/wallet',
    title: 'section.wallet',
    variants: user,
    auth: true,
    perm: 'wallets',
    load: wallet,
    messages: ['wallet', 'payment', 'list', 'copy'],
  },
  {
    path: '/policies',
    title: 'section.policies',
    variants: user,
    auth: true,
    perm: 'settings',
    load: policies,
    messages: ['policies', 'owners'],
  },

  // From the mail that offers it, to whoever it is for.
  {
    path: '/account-offer/$code',
    title: 'title.accountOffer',
    variants: user,
    auth: true,
    load: accountOffer,
    messages: ['owners'],
  },

  {
    path: '/activity',
    title: 'section.activity',
    variants: user,
    auth: true,
    perm: 'users',
    load: activity,
    messages: ['activity', 'events', 'list'],
  },

  // Users
  {
    path: '/users',
    title: 'section.users',
    variants: user,
    auth: true,
    perm: 'users',
    load: users,
    messages: ['users', 'list', 'bulk', 'subscriptions'],
  },
  {
    path: '/user/$user',
    title: 'title.user',
    variants: user,
    auth: true,
    perm: 'users',
    load: userPage,
    messages: userTexts,
  },

  // Domains
  {
    path: '/domains',
    title: 'section.domains',
    variants: user,
    auth: true,
    perm: 'domains',
    load: domains,
    messages: ['domains', 'list', 'bulk'],
  },
  {
    path: '/domain/$id',
    title: 'title.domain',
    variants: user,
    auth: true,
    perm: 'domains',
    load: domainPage,
    messages: domainTexts,
  },

  // Distribution lists, resources, shared folders
  {
    path: '/distlists',
    title: 'section.distlists',
    variants: user,
    auth: true,
    perm: 'distlists',
    load: distlists,
    messages: [...listTexts, 'distlists'],
  },
  {
    path: '/distlist/$id',
    title: 'title.distlist',
    variants: user,
    auth: true,
    perm: 'distlists',
    load: distlist,
    messages: [...objectTexts, 'distlists'],
  },
  {
    path: '/resources',
    title: 'section.resources',
    variants: user,
    auth: true,
    perm: 'resources',
    load: resources,
    messages: listTexts,
  },
  {
    path: '/resource/$id',
    title: 'title.resource',
    variants: user,
    auth: true,
    perm: 'resources',
    load: resource,
    messages: [...objectTexts, 'resources'],
  },
  {
    path: '/shared-folders',
    title: 'section.folders',
    variants: user,
    auth: true,
    perm: 'folders',
    load: folders,
    messages: [...listTexts, 'folders'],
  },
  {
    path: '/shared-folder/$id',
    title: 'title.folder',
    variants: user,
    auth: true,
    perm: 'folders',
    load: folder,
    messages: [...objectTexts, 'folders', 'acl'],
  },

  // Many at once
  {
    path: '/import',
    title: 'title.import',
    variants: user,
    auth: true,
    perm: 'users',
    load: importPage,
    messages: importTexts,
  },
  {
    path: '/import/$batch',
    title: 'title.import',
    variants: user,
    auth: true,
    perm: 'users',
    load: batchPage,
    messages: importTexts,
  },
  // Without a permission: whoever controls the account may see it, as the server decides.
  {
    path: '/batch/$batch',
    title: 'title.batch',
    variants: user,
    auth: true,
    load: batchPage,
    messages: importTexts,
  },

  // Devices that confirm sign-ins
  {
    path: '/companions',
    title: 'section.companions',
    variants: user,
    auth: true,
    perm: 'companionapps',
    load: companions,
    messages: ['companions'],
  },
  {
    path: '/companion/$companion',
    title: 'section.companions',
    variants: user,
    auth: true,
    perm: 'companionapps',
    load: companion,
    messages: ['companions', 'copy'],
  },

  // Meeting rooms
  {
    path: '/rooms',
    title: 'section.rooms',
    variants: user,
    auth: true,
    perm: 'rooms',
    load: rooms,
    messages: ['rooms', 'list'],
  },
  {
    path: '/room/$id',
    title: 'section.rooms',
    variants: user,
    auth: true,
    perm: 'rooms',
    load: room,
    messages: ['rooms', 'directory', 'list', 'subscriptions', 'events', 'addresses', 'acl'],
  },

  // Pages of the theme; anything else is not found
  { path: '/$', title: 'error.404', variants: all, load: staticPage },
]
