import type { Permission } from '@gatehouse/contract/permissions'
import { LoginPage } from '../../features/login/login-page.tsx'
import { LogoutPage } from '../../features/logout/logout-page.tsx'
import type { Area, MessageKey } from '../../i18n/areas.ts'
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
const people = () => import('../../features/users/people/people-page.tsx').then((m) => m.PeoplePage)
const userPage = () => import('../../features/users/user-page.tsx').then((m) => m.UserPage)
const security = () => import('../security-screen.tsx').then((m) => m.SecurityScreen)
const enrol = () => import('../../features/factors/enrol-page.tsx').then((m) => m.EnrolPage)
const settings = () => import('../../features/users/user-page.tsx').then((m) => m.SettingsPage)
const activity = () => import('../../features/activity/activity-page.tsx').then((m) => m.ActivityPage)
const bookingRequests = () =>
  import('../../features/booking-requests/booking-requests-page.tsx').then((m) => m.BookingRequestsPage)
const mailTrace = () => import('../../features/mail-trace/mail-trace-page.tsx').then((m) => m.MailTracePage)
const devices = () => import('../../features/devices/devices-page.tsx').then((m) => m.DevicesPage)
const deletedMail = () =>
  import('../../features/deleted-mail/deleted-mail-page.tsx').then((m) => m.DeletedMailPage)
const mailFilters = () =>
  import('../../features/mail-filters/mail-filters-page.tsx').then((m) => m.MailFiltersPage)
const mailImport = () =>
  import('../../features/mail-import/mail-import-page.tsx').then((m) => m.MailImportPage)
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
const exportPage = () => import('../../features/export/export-page.tsx').then((m) => m.ExportPage)
const files = () => import('../../features/files/files-page.tsx').then((m) => m.FilesPage)
const file = () => import('../../features/files/page/file-page.tsx').then((m) => m.FilePage)
const fileLink = () => import('../../features/files/link/link-page.tsx').then((m) => m.LinkPage)
const staticPage = () => import('../../features/pages/static-page.tsx').then((m) => m.StaticPage)

const userTexts = [
  'users',
  'events',
  'sentences',
  'subscriptions',
  'list',
  'password',
  'setup',
  'deletedaddress',
] as const
const domainTexts = ['domains', 'copy', 'subscriptions', 'list', 'events', 'sentences', 'setup'] as const
const listTexts = ['directory', 'list', 'bulk'] as const
const fileTexts = ['files', 'list', 'addresses', 'copy'] as const
const importTexts = ['imports', 'bulk', 'list'] as const
const objectTexts = [
  'directory',
  'list',
  'subscriptions',
  'setup',
  'events',
  'sentences',
  'addresses',
  'deletedaddress',
] as const

type Row = [path: string, title: MessageKey, load: RouteEntry['load'], messages: readonly Area[]]

/** A user screen open to everyone. */
function open(...[path, title, load, messages]: Row): RouteEntry {
  return { path, title, variants: user, load, messages }
}

/** A user screen that requires sign-in. */
function signedIn(...row: Row): RouteEntry {
  return { ...open(...row), auth: true }
}

/** A user screen that requires sign-in and a permission. */
function permitted(perm: Permission, ...row: Row): RouteEntry {
  return { ...signedIn(...row), perm }
}

/**
 * The routes of users and those of every variant; staff routes come with the cockpit. `{-$name}` is optional;
 * `$` matches the rest of the path.
 */
export const routeTable: readonly RouteEntry[] = [
  // Public
  { path: '/login', title: 'menu.login', variants: all, screen: LoginPage },
  open('/login-as', 'menu.login', loginAs, ['impersonation']),
  { path: '/logout', title: 'menu.logout', variants: all, screen: LogoutPage },
  // One route with and without a rest, so that input survives a change of the plan.
  open('/signup/$', 'menu.signup', signup, ['signup', 'password']),
  open('/password-reset/{-$code}', 'title.passwordReset', reset, ['reset', 'password']),
  // For anyone with the link, signed in or not.
  open('/link/$token', 'words.file', fileLink, ['filelink', 'files', 'list']),
  open('/meet/$room', 'title.meet', meet, ['meet', 'copy']),

  // Signed in
  signedIn('/dashboard', 'menu.dashboard', dashboard, ['dashboard', 'sentences', 'setup', 'recovery']),
  signedIn('/payment/status', 'words.payment', payment, ['payment']),
  signedIn('/settings', 'words.myAccount', settings, userTexts),
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
  signedIn('/oauth/device', 'title.authorize', device, ['oauth']),
  open('/oauth/sign-out', 'menu.logout', signOut, ['oauth']),
  // Without a permission: a shared file opens for every signed-in user.
  signedIn('/file/$file', 'words.file', file, [...fileTexts, 'events', 'sentences']),
  permitted('files', '/files/{-$parent}', 'words.files', files, fileTexts),
  permitted('wallets', '/wallet', 'words.wallet', wallet, ['wallet', 'payment', 'list', 'copy']),
  permitted('settings', '/policies', 'words.policies', policies, ['policies', 'owners', 'addresses']),

  signedIn('/mail', 'words.mail', mailTrace, ['mailtrace', 'mailreasons', 'list']),
  signedIn('/devices', 'words.setUpDevices', devices, ['devices', 'apppasswords', 'copy']),
  // Without a permission: the server decides, based on control of the account.
  signedIn('/deleted-mail/{-$user}', 'words.deletedMail', deletedMail, ['deletedmail', 'list']),
  signedIn('/mail-filters/{-$user}', 'words.filtersAndReply', mailFilters, ['mailfilters']),
  signedIn('/mail-import/{-$user}', 'words.importMail', mailImport, ['mailimport']),

  signedIn('/export', 'words.exportData', exportPage, ['export']),

  // From the e-mail to managers of resources, who may be any user.
  signedIn('/booking-requests', 'title.bookingRequests', bookingRequests, ['bookings']),

  // From the e-mail with the offer, for any recipient.
  signedIn('/account-offer/$code', 'title.accountOffer', accountOffer, ['owners']),

  permitted('users', '/activity', 'words.activity', activity, [
    'activity',
    'events',
    'sentences',
    'list',
    'addresses',
  ]),

  // Users
  permitted('users', '/users', 'words.users', users, ['users', 'list', 'bulk', 'subscriptions']),
  permitted('users', '/users/add', 'words.addPeople', people, ['people', 'users', 'bulk', 'subscriptions']),
  permitted('users', '/user/$user', 'words.user', userPage, userTexts),

  // Domains
  permitted('domains', '/domains', 'words.domains', domains, ['domains', 'list', 'bulk']),
  permitted('domains', '/domain/$id', 'words.domain', domainPage, domainTexts),

  // Distribution lists, resources, shared folders
  permitted('distlists', '/distlists', 'section.distlists', distlists, [...listTexts, 'distlists']),
  permitted('distlists', '/distlist/$id', 'title.distlist', distlist, [...objectTexts, 'distlists']),
  permitted('resources', '/resources', 'words.resources', resources, listTexts),
  permitted('resources', '/resource/$id', 'words.resource', resource, [...objectTexts, 'resources']),
  permitted('folders', '/shared-folders', 'words.sharedFolders', folders, [...listTexts, 'folders']),
  permitted('folders', '/shared-folder/$id', 'words.sharedFolder', folder, [
    ...objectTexts,
    'folders',
    'acl',
  ]),

  // Bulk work
  permitted('users', '/import', 'words.import', importPage, importTexts),
  permitted('users', '/import/$batch', 'words.import', batchPage, importTexts),
  // Without a permission: the server decides, based on control of the account.
  signedIn('/batch/$batch', 'title.batch', batchPage, importTexts),

  // Companion devices
  permitted('companionapps', '/companions', 'words.companionApp', companions, ['companions']),
  permitted('companionapps', '/companion/$companion', 'words.companionApp', companion, [
    'companions',
    'copy',
  ]),

  // Meeting rooms
  permitted('rooms', '/rooms', 'section.rooms', rooms, ['rooms', 'list']),
  permitted('rooms', '/room/$id', 'section.rooms', room, [
    'rooms',
    'directory',
    'list',
    'subscriptions',
    'events',
    'sentences',
    'addresses',
    'acl',
  ]),

  // Theme pages; anything else is not found
  { path: '/$', title: 'error.404', variants: all, load: staticPage },
]
