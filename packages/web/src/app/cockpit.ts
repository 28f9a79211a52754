import type { Area, MessageKey } from '../i18n/areas.ts'
import { call } from '../platform/api/api.ts'
import { ApiError } from '../platform/api/api-error.ts'
import type { Variant } from '../platform/config.ts'
import { loadChunk } from '../platform/navigation/chunks.ts'
import type { RouteEntry } from '../platform/navigation/route-entry.ts'
import type { Section } from '../platform/navigation/sections.ts'
import { auth, updateUser } from '../platform/session/auth.ts'
import { WrongRoleError } from './routes/guards.ts'

const both = ['admin', 'reseller'] as const
const admin = ['admin'] as const
const reseller = ['reseller'] as const

const search = () => import('../features/dashboard/cockpit/cockpit-page.tsx').then((m) => m.CockpitPage)
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

/** Creates a staff screen, a row of the table below. */
function staff(
  variants: RouteEntry['variants'],
  path: string,
  title: MessageKey,
  load: RouteEntry['load'],
  messages: readonly Area[],
): RouteEntry {
  return { path, title, variants, auth: true, load, messages }
}

/** The staff screens; each requires sign-in and the role, as decided by the server. */
export const cockpitRoutes: readonly RouteEntry[] = [
  staff(both, '/dashboard', 'menu.cockpit', search, ['dashboard', 'list', 'customer', 'copy', 'palette']),
  staff(both, '/user/$user', 'words.user', customer, [
    ...objectTexts,
    'wallet',
    'folders',
    'owners',
    'mailtrace',
    'mailreasons',
    'apikeys',
  ]),
  staff(both, '/user/$user/new/user', 'words.user', newUser, ['creation', 'subscriptions', 'users']),
  staff(both, '/user/$user/new/domain', 'words.domain', newDomain, ['creation', 'subscriptions', 'domains']),
  staff(both, '/user/$user/new/distlist', 'title.distlist', newDistlist, [
    ...creationTexts,
    'distlists',
    'addresses',
  ]),
  staff(both, '/user/$user/new/resource', 'words.resource', newResource, [...creationTexts, 'resources']),
  staff(both, '/user/$user/new/shared-folder', 'words.sharedFolder', newFolder, [
    ...creationTexts,
    'folders',
  ]),
  staff(both, '/domain/$id', 'words.domain', domain, [...objectTexts, 'domains', 'copy']),
  staff(both, '/distlist/$id', 'title.distlist', distlist, objectTexts),
  staff(both, '/resource/$id', 'words.resource', resource, [...objectTexts, 'resources']),
  staff(both, '/shared-folder/$id', 'words.sharedFolder', folder, [...objectTexts, 'folders', 'acl']),
  staff(both, '/approvals', 'cockpit.approvals', approvals, ['approvals', 'list']),
  staff(both, '/price-changes', 'cockpit.priceChanges', priceChanges, ['pricechanges', 'list']),
  staff(both, '/price-change/new', 'cockpit.priceChanges', newPriceChange, ['pricechanges', 'list']),
  staff(both, '/price-change/$change', 'cockpit.priceChanges', priceChange, ['pricechanges', 'list']),
  staff(both, '/stats', 'words.statistics', stats, ['stats']),
  staff(admin, '/operations', 'cockpit.operations', operations, ['operations', 'list']),
  staff(admin, '/oauth-clients', 'cockpit.clients', clients, ['clients', 'list', 'copy']),
  staff(admin, '/oauth-client/$client', 'cockpit.clients', client, ['clients', 'list', 'copy']),
  staff(admin, '/tenants', 'cockpit.tenants', tenants, ['tenants', 'list']),
  staff(both, '/tenant/$tenant', 'cockpit.tenant', tenant, ['tenants', 'offer', 'events', 'list', 'copy']),
  staff(both, '/tenant/$tenant/product/$item', 'cockpit.tenant', product, offerTexts),
  staff(both, '/tenant/$tenant/package/$item', 'cockpit.tenant', salesPackage, offerTexts),
  staff(both, '/tenant/$tenant/plan/$item', 'cockpit.tenant', plan, offerTexts),
  staff(both, '/tenant/$tenant/program/$item', 'cockpit.tenant', program, offerTexts),
  staff(reseller, '/invitations', 'words.invitations', invitations, ['invitations', 'list']),
  staff(reseller, '/wallet', 'words.wallet', wallet, ['wallet', 'payment', 'list', 'copy']),
]

const customers: Section = {
  to: '/dashboard',
  label: 'cockpit.customers',
  covers: ['dashboard', 'user', 'domain', 'distlist', 'resource', 'shared-folder'],
}
const statistics: Section = { to: '/stats', label: 'words.statistics', covers: ['stats'] }

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
  { to: '/invitations', label: 'words.invitations', covers: ['invitations'] },
  { to: '/wallet', label: 'words.wallet', covers: ['wallet'] },
  largeBookings,
  prices,
  statistics,
  { to: '/tenant/own', label: 'cockpit.tenant', covers: ['tenant'] },
]

let admitted: number | undefined

/** Admits staff with the right role. Only the server knows the role, so it is asked once per person. */
export async function admitStaff(): Promise<void> {
  const id = auth.get().user?.id
  if (id === undefined || id === admitted) return
  try {
    // without a search text, nothing is searched
    await call('GET /api/v4/users @staff', { query: {}, ignoreErrors: true })
    admitted = id
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      updateUser({ isStranger: true })
      const { WrongRole } = await loadChunk(() => import('./shell/wrong-role.tsx'))
      throw new WrongRoleError(WrongRole)
    }
    // any other error is reported by the screen
  }
}

/** Returns the second navigation level of a cockpit. */
export function sectionsOf(variant: Variant): readonly Section[] {
  return variant === 'admin' ? adminSections : resellerSections
}
