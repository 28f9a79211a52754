import type { Overview } from '@gatehouse/contract/overview'
import type { WalletOverviews } from '../billing/wallet/wallet-facts.ts'
import type { DomainKeys } from '../directory/domains/dns/domain-keys.ts'
import { domainFacts } from '../directory/domains/domain-facts.ts'
import { objectFacts } from '../directory/objects/object-facts-store.ts'
import { userFacts } from '../directory/users/user-facts-store.ts'
import type { FileSettings } from '../files/file-settings.ts'
import { fileFacts } from '../files/items/file-facts.ts'
import { requestFacts } from '../mailflow/bookings/delivery/booking-store.ts'
import { roomFacts } from '../meetings/rooms/room-facts-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import { accountStorage } from '../provisioning/account-storage-store.ts'
import { readMailStorage } from '../provisioning/usage-store.ts'
import { ownProtection } from '../sessions/own-sessions/own-protection.ts'
import type { Identity } from '../sessions/plugin.ts'
import { requireOwn } from '../users/access.ts'
import { type AccountView, accountStatus, ownedUser } from '../users/account-view/account-view.ts'
import { presentStatusInfo } from '../users/account-view/present.ts'
import { canCreateUsers, isController, mayBuy } from '../users/policy.ts'
import { policyFacts } from '../users/settings/policy-facts.ts'
import {
  distlistsArea,
  domainsArea,
  filesArea,
  foldersArea,
  mailboxArea,
  resourcesArea,
  usersArea,
  walletArea,
} from './areas.ts'
import { attentionFor, type Found } from './problems.ts'
import { recentActivity } from './recent-activity.ts'

export interface AccountOverviewParts
  extends Pick<Identity, 'presenter' | 'views' | 'systemPolicy' | 'secondFactorRules'> {
  readonly config: FeatureSettings & HostingConfig & Pick<FileSettings, 'FILES_FREE_GIB'>
  readonly domainKeys: DomainKeys
  readonly db: Db
  readonly clock: Clock
  readonly wallets: WalletOverviews
}

type Flags = ReturnType<typeof presentStatusInfo>

/**
 * Returns a user's dashboard. Areas the user can't open are null and not read. Each room provides its own
 * facts.
 */
export async function accountOverview(
  parts: AccountOverviewParts,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<Overview> {
  const { db, presenter, views } = parts
  const view = await requireOwn(views, principal)
  const flags = presentStatusInfo(view, await presenter.facts(request, view.user.tenantId))
  const controls = isController(principal.userId, ownedUser(view))
  const [areas, rooms, protection, activity, waiting] = await Promise.all([
    readAreas(parts, principal, view, flags),
    flags.enableRooms ? roomFacts(db, principal) : null,
    ownProtection(parts, principal.userId),
    recentActivity(db, principal.userId, controls, request.t),
    requestFacts(db, principal.userId),
  ])
  const { domains, users, mailbox, distlists, resources, folders, wallet, files } = areas
  const security: Found = {
    'booking-waits': waiting,
    'second-factor-off': !protection.isProtected,
    // members can ask their owner to restore access
    'recovery-missing': controls && !view.settings.external_email,
  }
  const found = Object.values(areas).flatMap((area) => (area === null ? [] : [area.found]))
  const mayOrder = mayBuy(accountStatus(view))
  return {
    security: { sessions: protection.sessions, isProtected: protection.isProtected },
    domains: domains?.shown ?? null,
    users: users?.shown ?? null,
    mailbox: mailbox?.shown ?? null,
    distlists: distlists?.shown ?? null,
    resources: resources?.shown ?? null,
    folders: folders?.shown ?? null,
    wallet: wallet?.shown ?? null,
    rooms,
    files: files?.shown ?? null,
    policies: flags.enableSettings ? policyFacts(view.ownerConfig, parts) : null,
    companions: flags.enableCompanionapps ? { paired: protection.paired } : null,
    attention: attentionFor([...found, security]),
    activity,
    canCreateUsers: flags.enableUsers && mayOrder && canCreateUsers(principal, ownedUser(view)),
    canCreateRooms: flags.enableRooms && mayOrder && controls,
    canAddFiles: flags.enableFiles,
  }
}

async function readAreas(
  { db, config, domainKeys, wallets }: AccountOverviewParts,
  principal: Principal,
  { wallet }: AccountView,
  flags: Flags,
) {
  const { userId } = principal
  const hasObjects = flags.enableDistlists || flags.enableResources || flags.enableFolders
  const [domains, users, storage, mailboxes, objects, money, files] = await Promise.all([
    flags.enableDomains ? domainFacts(db, userId, { config, domainKeys }) : null,
    flags.enableUsers ? userFacts(db, userId, config.APP_LDAP) : null,
    flags.enableUsers ? accountStorage(db, userId) : null,
    readMailStorage(db, [userId]),
    hasObjects ? objectFacts(db, userId) : null,
    flags.enableWallets ? wallets.read(wallet) : null,
    flags.enableFiles ? fileFacts(db, principal, config) : null,
  ])
  const mailbox = mailboxes.get(userId)
  return {
    domains: domains && domainsArea(domains),
    users: users && storage && usersArea(users, storage),
    mailbox: mailbox ? mailboxArea(mailbox) : null,
    distlists: objects && flags.enableDistlists ? distlistsArea(objects.group) : null,
    resources: objects && flags.enableResources ? resourcesArea(objects.resource) : null,
    folders: objects && flags.enableFolders ? foldersArea(objects['shared-folder']) : null,
    wallet: money ? walletArea(wallet, money) : null,
    files: files && filesArea(files),
  }
}
