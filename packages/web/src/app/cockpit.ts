import type { Area } from '../i18n/areas.ts'
import { call } from '../platform/api/api.ts'
import { ApiError } from '../platform/api/api-error.ts'
import type { Variant } from '../platform/config.ts'
import type { RouteEntry } from '../platform/navigation/route-entry.ts'
import type { Section } from '../platform/navigation/sections.ts'
import { auth, updateUser } from '../platform/session/auth.ts'
import { WrongRoleError } from './routes/guards.ts'
import { WrongRole } from './shell/wrong-role.tsx'

const both = ['admin', 'reseller'] as const
const admin = ['admin'] as const
const reseller = ['reseller'] as const

const search = () => import('../features/dashboard/cockpit-page.tsx').then((m) => m.CockpitPage)
const customer = () => import('../features/cockpit/user/customer-page.tsx').then((m) => m.CustomerPage)
const domain = () => import('../features/cockpit/objects/domain-page.tsx').then((m) => m.StaffDomainPage)
const distlist = () =>
  import('../features/cockpit/objects/distlist-page.tsx').then((m) => m.StaffDistlistPage)
const resource = () =>
  import('../features/cockpit/objects/resource-page.tsx').then((m) => m.StaffResourcePage)
const folder = () => import('../features/cockpit/objects/folder-page.tsx').then((m) => m.StaffFolderPage)
const newUser = () => import('../features/cockpit/creation/user-form.tsx').then((m) => m.NewCustomerUserPage)
const newDomain = () =>
  import('../features/cockpit/creation/domain-form.tsx').then((m) => m.NewCustomerDomainPage)
const newDistlist = () =>
  import('../features/cockpit/creation/distlist-form.tsx').then((m) => m.NewCustomerDistlistPage)
const newResource = () =>
  import('../features/cockpit/creation/resource-form.tsx').then((m) => m.NewCustomerResourcePage)
const newFolder = () =>
  import('../features/cockpit/creation/folder-form.tsx').then((m) => m.NewCustomerFolderPage)
const approvals = () =>
  import('../features/cockpit/approvals/approvals-page.tsx').then((m) => m.ApprovalsPage)
const priceChanges = () =>
  import('../features/price-changes/price-changes-page.tsx').then((m) => m.PriceChangesPage)
const priceChange = () =>
  import('../features/price-changes/price-change-page.tsx').then((m) => m.PriceChangePage)
const newPriceChange = () =>
  import('../features/price-changes/new-price-change-page.tsx').then((m) => m.NewPriceChangePage)
const stats = () => import('../features/stats/stats-page.tsx').then((m) => m.StatsPage)
const operations = () => import('../features/operations/operations-page.tsx').then((m) => m.OperationsPage)
const invitations = () =>
  import('../features/invitations/invitations-page.tsx').then((m) => m.InvitationsPage)
const wallet = () => import('../features/wallet/wallet-page.tsx').then((m) => m.WalletPage)
const tenant = () => import('../features/tenants/tenant-page.tsx').then((m) => m.TenantPage)
const product = () => import('../features/tenants/catalogue/product-page.tsx').then((m) => m.ProductPage)
const salesPackage = () => import('../features/tenants/catalogue/package-page.tsx').then((m) => m.PackagePage)
const plan = () => import('../features/tenants/catalogue/plan-page.tsx').then((m) => m.PlanPage)
const program = () => import('../features/tenants/sign-up/program-page.tsx').then((m) => m.ProgramPage)
const tenants = () => import('../features/tenants/tenants-page.tsx').then((m) => m.TenantsPage)

const clients = () => import('../features/oauth-clients/clients-page.tsx').then((m) => m.ClientsPage)
const client = () => import('../features/oauth-clients/client-page.tsx').then((m) => m.ClientPage)

const objectTexts: readonly Area[] = ['customer', 'list', 'events', 'subscriptions']
const offerTexts: readonly Area[] = ['tenants', 'offer', 'directory', 'copy']
const creationTexts: readonly Area[] = ['creation', 'subscriptions', 'directory']

/** The screens of staff; each is for signed-in people of the right role, as the server decides. */
export const cockpitRoutes: readonly RouteEntry[] = [
  {
    path: '/dashboard',
    title: 'menu.cockpit',
    variants: both,
    auth: true,
    load: search,
    messages: ['dashboard', 'list', 'customer', 'copy'],
  },
  {
    path: '/user/$user',
    title: 'title.user',
    variants: both,
    auth: true,
    load: customer,
    messages: [...objectTexts, 'wallet', 'folders', 'owners'],
  },
  {
    path: '/user/$user/new/user',
    title: 'title.user',
    variants: both,
    auth: true,
    load: newUser,
    messages: ['creation', 'subscriptions', 'users'],
  },
  {
    path: '/user/$user/new/domain',
    title: 'title.domain',
    variants: both,
    auth: true,
    load: newDomain,
    messages: ['creation', 'subscriptions', 'domains'],
  },
  {
    path: '/user/$user/new/distlist',
    title: 'title.distlist',
    variants: both,
    auth: true,
    load: newDistlist,
    messages: [...creationTexts, 'distlists', 'addresses'],
  },
  {
    path: '/user/$user/new/resource',
    title: 'title.resource',
    variants: both,
    auth: true,
    load: newResource,
    messages: [...creationTexts, 'resources'],
  },
  {
    path: '/user/$user/new/shared-folder',
    title: 'title.folder',
    variants: both,
    auth: true,
    load: newFolder,
    messages: [...creationTexts, 'folders'],
  },
  {
    path: '/domain/$id',
    title: 'title.domain',
    variants: both,
    auth: true,
    load: domain,
    messages: [...objectTexts, 'domains', 'copy'],
  },
  {
    path: '/distlist/$id',
    title: 'title.distlist',
    variants: both,
    auth: true,
    load: distlist,
    messages: objectTexts,
  },
  {
    path: '/resource/$id',
    title: 'title.resource',
    variants: both,
    auth: true,
    load: resource,
    messages: [...objectTexts, 'resources'],
  },
  {
    path: '/shared-folder/$id',
    title: 'title.folder',
    variants: both,
    auth: true,
    load: folder,
    messages: [...objectTexts, 'folders', 'acl'],
  },
  {
    path: '/approvals',
    title: 'cockpit.approvals',
    variants: both,
    auth: true,
    load: approvals,
    messages: ['approvals', 'list'],
  },
  {
    path: '/price-changes',
    title: 'cockpit.priceChanges',
    variants: both,
    auth: true,
    load: priceChanges,
    messages: ['pricechanges', 'list'],
  },
  {
    path: '/price-change/new',
    title: 'cockpit.priceChanges',
    variants: both,
    auth: true,
    load: newPriceChange,
    messages: ['pricechanges', 'list'],
  },
  {
    path: '/price-change/$change',
    title: 'cockpit.priceChanges',
    variants: both,
    auth: true,
    load: priceChange,
    messages: ['pricechanges', 'list'],
  },
  {
    path: '/stats',
    title: 'section.stats',
    variants: both,
    auth: true,
    load: stats,
    messages: ['stats'],
  },
  {
    path: '/operations',
    title: 'cockpit.operations',
    variants: admin,
    auth: true,
    load: operations,
    messages: ['operations', 'list'],
  },
  {
    path: '/oauth-clients',
    title: 'cockpit.clients',
    variants: admin,
    auth: true,
    load: clients,
    messages: ['clients', 'list', 'copy'],
  },
  {
    path: '/oauth-client/$client',
    title: 'cockpit.clients',
    variants: admin,
    auth: true,
    load: client,
    messages: ['clients', 'list', 'copy'],
  },
  {
    path: '/tenants',
    title: 'cockpit.tenants',
    variants: admin,
    auth: true,
    load: tenants,
    messages: ['tenants', 'list'],
  },
  {
    path: '/tenant/$tenant',
    title: 'cockpit.tenant',
    variants: both,
    auth: true,
    load: tenant,
    messages: ['tenants', 'offer', 'events', 'list', 'copy'],
  },
  {
    path: '/tenant/$tenant/product/$item',
    title: 'cockpit.tenant',
    variants: both,
    auth: true,
    load: product,
    messages: offerTexts,
  },
  {
    path: '/tenant/$tenant/package/$item',
    title: 'cockpit.tenant',
    variants: both,
    auth: true,
    load: salesPackage,
    messages: offerTexts,
  },
  {
    path: '/tenant/$tenant/plan/$item',
    title: 'cockpit.tenant',
    variants: both,
    auth: true,
    load: plan,
    messages: offerTexts,
  },
  {
    path: '/tenant/$tenant/program/$item',
    title: 'cockpit.tenant',
    variants: both,
    auth: true,
    load: program,
    messages: offerTexts,
  },
  {
    path: '/invitations',
    title: 'section.invitations',
    variants: reseller,
    auth: true,
    load: invitations,
    messages: ['invitations', 'list'],
  },
  {
    path: '/wallet',
    title: 'section.wallet',
    variants: reseller,
    auth: true,
    load: wallet,
    messages: ['wallet', 'payment', 'list', 'copy'],
  },
]

const customers: Section = {
  to: '/dashboard',
  label: 'cockpit.customers',
  covers: ['dashboard', 'user', 'domain', 'distlist', 'resource', 'shared-folder'],
}
const statistics: Section = { to: '/stats', label: 'section.stats', covers: ['stats'] }

const largeBookings: Section = { to: '/approvals', label: 'cockpit.approvals', covers: ['approvals'] }

const prices: Section = {
  to: '/price-changes',
  label: 'cockpit.priceChanges',
  covers: ['price-changes', 'price-change'],
}

const adminSections: readonly Section[] = [
  customers,
  largeBookings,
  prices,
  statistics,
  { to: '/tenants', label: 'cockpit.tenants', covers: ['tenants', 'tenant'] },
  { to: '/oauth-clients', label: 'cockpit.clients', covers: ['oauth-clients', 'oauth-client'] },
  { to: '/operations', label: 'cockpit.operations', covers: ['operations'] },
]

const resellerSections: readonly Section[] = [
  customers,
  { to: '/invitations', label: 'section.invitations', covers: ['invitations'] },
  { to: '/wallet', label: 'section.wallet', covers: ['wallet'] },
  largeBookings,
  prices,
  statistics,
  { to: '/tenant/own', label: 'cockpit.tenant', covers: ['tenant'] },
]

let admitted: number | undefined

/** Lets staff of the right role in. Only the server knows the role; it is asked once for each person. */
export async function admitStaff(): Promise<void> {
  const id = auth.get().user?.id
  if (id === undefined || id === admitted) return
  try {
    // without a text nothing is looked for
    await call('GET /api/v4/users @staff', { query: {}, ignoreErrors: true })
    admitted = id
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      updateUser({ isStranger: true })
      throw new WrongRoleError(WrongRole)
    }
    // whatever else is wrong, the screen will tell
  }
}

/** The second level of the navigation of a cockpit. */
export function sectionsOf(variant: Variant): readonly Section[] {
  return variant === 'admin' ? adminSections : resellerSections
}
