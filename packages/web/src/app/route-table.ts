import type { Permission } from '@gatehouse/contract/permissions'
import { LoginPage } from '../features/login/login-page.tsx'
import { LogoutPage } from '../features/logout/logout-page.tsx'
import type { MessageKey } from '../i18n/areas.ts'
import type { RouteEntry } from './route-entry.ts'

const all = ['user', 'admin', 'reseller'] as const
const staff = ['admin', 'reseller'] as const
const user = ['user'] as const

const dashboard = () => import('../features/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage)
const signup = () => import('../features/signup/signup-page.tsx').then((m) => m.SignupPage)
const reset = () =>
  import('../features/password-reset/password-reset-page.tsx').then((m) => m.PasswordResetPage)
const payment = () =>
  import('../features/payment-status/payment-status-page.tsx').then((m) => m.PaymentStatusPage)
const policies = () => import('../features/policies/policies-page.tsx').then((m) => m.PoliciesPage)
const users = () => import('../features/users/users-page.tsx').then((m) => m.UsersPage)
const userPage = () => import('../features/users/user-page.tsx').then((m) => m.UserPage)
const settings = () => import('../features/users/user-page.tsx').then((m) => m.SettingsPage)
const staticPage = () => import('../features/pages/static-page.tsx').then((m) => m.StaticPage)
const later = () => import('../features/later/later-page.tsx').then((m) => m.LaterPage)

const userTexts = ['users', 'subscriptions', 'list', 'password', 'setup'] as const

/** Every route. `{-$name}` may be missing; `$` takes the rest of the path. */
export const routeTable: readonly RouteEntry[] = [
  // Open to everybody
  { path: '/login', title: 'menu.login', variants: all, screen: LoginPage },
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
  { path: '/meet/$room', title: 'title.meet', variants: user, load: later, messages: ['later'] },

  // For signed-in people
  {
    path: '/dashboard',
    title: 'menu.dashboard',
    variants: user,
    auth: true,
    load: dashboard,
    messages: ['dashboard', 'setup'],
  },
  {
    path: '/dashboard',
    title: 'menu.cockpit',
    variants: staff,
    auth: true,
    load: dashboard,
    messages: ['dashboard', 'setup'],
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
    path: '/oauth/authorize',
    title: 'title.authorize',
    variants: user,
    auth: true,
    load: later,
    messages: ['later'],
  },
  // Without a permission: a shared file opens for anyone who is signed in.
  { path: '/file/$file', title: 'title.file', variants: user, auth: true, load: later, messages: ['later'] },
  { path: '/stats', title: 'section.stats', variants: staff, auth: true, load: later, messages: ['later'] },
  {
    path: '/invitations',
    title: 'section.invitations',
    variants: ['reseller'],
    auth: true,
    load: later,
    messages: ['later'],
  },
  {
    path: '/wallet',
    title: 'section.wallet',
    variants: ['user', 'reseller'],
    auth: true,
    perm: { user: 'wallets' },
    load: later,
    messages: ['later'],
  },

  {
    path: '/policies',
    title: 'section.policies',
    variants: user,
    auth: true,
    perm: 'settings',
    load: policies,
    messages: ['policies'],
  },

  // Users
  {
    path: '/users',
    title: 'section.users',
    variants: user,
    auth: true,
    perm: 'users',
    load: users,
    messages: ['users', 'list'],
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
  {
    path: '/user/$user',
    title: 'title.user',
    variants: staff,
    auth: true,
    load: later,
    messages: ['later'],
  },

  // Lists, by permission
  ...lists([
    ['/domains', 'section.domains', 'domains'],
    ['/distlists', 'section.distlists', 'distlists'],
    ['/resources', 'section.resources', 'resources'],
    ['/shared-folders', 'section.folders', 'folders'],
    ['/rooms', 'section.rooms', 'rooms'],
    ['/room/$room', 'section.rooms', 'rooms'],
    ['/files/{-$parent}', 'section.files', 'files'],
    ['/companions', 'section.companions', 'companionapps'],
    ['/companion/$companion', 'section.companions', 'companionapps'],
  ]),

  // Objects, by permission in the user's front end; staff reach them by search
  ...objects([
    ['/domain/$domain', 'title.domain', 'domains'],
    ['/distlist/$list', 'title.distlist', 'distlists'],
    ['/resource/$resource', 'title.resource', 'resources'],
    ['/shared-folder/$folder', 'title.folder', 'folders'],
  ]),

  // Pages of the theme; anything else is not found
  { path: '/$', title: 'error.404', variants: all, load: staticPage },
]

type Row = readonly [path: string, title: MessageKey, perm: Permission]

function lists(rows: readonly Row[]): RouteEntry[] {
  return rows.map(([path, title, perm]) => ({
    path,
    title,
    perm,
    variants: user,
    auth: true,
    load: later,
    messages: ['later'],
  }))
}

function objects(rows: readonly Row[]): RouteEntry[] {
  return rows.map(([path, title, perm]) => ({
    path,
    title,
    perm: { user: perm },
    variants: all,
    auth: true,
    load: later,
    messages: ['later'],
  }))
}
