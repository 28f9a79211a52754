import type acl from './messages/acl.en.json'
import type activity from './messages/activity.en.json'
import type addresses from './messages/addresses.en.json'
import type apppasswords from './messages/apppasswords.en.json'
import type approvals from './messages/approvals.en.json'
import type bulk from './messages/bulk.en.json'
import type clients from './messages/clients.en.json'
import type cockpit from './messages/cockpit.en.json'
import type companionapp from './messages/companionapp.en.json'
import type companions from './messages/companions.en.json'
import type companionwait from './messages/companionwait.en.json'
import type copy from './messages/copy.en.json'
import type countries from './messages/countries.en.json'
import type creation from './messages/creation.en.json'
import type customer from './messages/customer.en.json'
import type dashboard from './messages/dashboard.en.json'
import type deletedaddress from './messages/deletedaddress.en.json'
import type directory from './messages/directory.en.json'
import type distlists from './messages/distlists.en.json'
import type domains from './messages/domains.en.json'
import type events from './messages/events.en.json'
import type factors from './messages/factors.en.json'
import type faq from './messages/faq.en.json'
import type filelink from './messages/filelink.en.json'
import type files from './messages/files.en.json'
import type folders from './messages/folders.en.json'
import type impersonation from './messages/impersonation.en.json'
import type imports from './messages/imports.en.json'
import type invitations from './messages/invitations.en.json'
import type list from './messages/list.en.json'
import type meet from './messages/meet.en.json'
import type meeting from './messages/meeting.en.json'
import type oauth from './messages/oauth.en.json'
import type offer from './messages/offer.en.json'
import type operations from './messages/operations.en.json'
import type owners from './messages/owners.en.json'
import type palette from './messages/palette.en.json'
import type password from './messages/password.en.json'
import type payment from './messages/payment.en.json'
import type policies from './messages/policies.en.json'
import type pricechanges from './messages/pricechanges.en.json'
import type proof from './messages/proof.en.json'
import type recovery from './messages/recovery.en.json'
import type reset from './messages/reset.en.json'
import type resources from './messages/resources.en.json'
import type rooms from './messages/rooms.en.json'
import type security from './messages/security.en.json'
import type sessions from './messages/sessions.en.json'
import type setup from './messages/setup.en.json'
import type shell from './messages/shell.en.json'
import type signup from './messages/signup.en.json'
import type stats from './messages/stats.en.json'
import type subscriptions from './messages/subscriptions.en.json'
import type support from './messages/support.en.json'
import type tenants from './messages/tenants.en.json'
import type userfields from './messages/userfields.en.json'
import type users from './messages/users.en.json'
import type usersettings from './messages/usersettings.en.json'
import type wallet from './messages/wallet.en.json'

/** Every message catalogue. A new area is a line here and four files in `messages/`. */
interface Catalogues {
  shell: typeof shell
  acl: typeof acl
  activity: typeof activity
  addresses: typeof addresses
  approvals: typeof approvals
  apppasswords: typeof apppasswords
  bulk: typeof bulk
  clients: typeof clients
  cockpit: typeof cockpit
  companionapp: typeof companionapp
  companions: typeof companions
  companionwait: typeof companionwait
  copy: typeof copy
  countries: typeof countries
  creation: typeof creation
  customer: typeof customer
  dashboard: typeof dashboard
  deletedaddress: typeof deletedaddress
  directory: typeof directory
  distlists: typeof distlists
  domains: typeof domains
  events: typeof events
  factors: typeof factors
  faq: typeof faq
  filelink: typeof filelink
  files: typeof files
  folders: typeof folders
  impersonation: typeof impersonation
  imports: typeof imports
  invitations: typeof invitations
  list: typeof list
  meet: typeof meet
  meeting: typeof meeting
  oauth: typeof oauth
  offer: typeof offer
  operations: typeof operations
  owners: typeof owners
  palette: typeof palette
  password: typeof password
  payment: typeof payment
  policies: typeof policies
  pricechanges: typeof pricechanges
  proof: typeof proof
  recovery: typeof recovery
  reset: typeof reset
  resources: typeof resources
  rooms: typeof rooms
  security: typeof security
  sessions: typeof sessions
  setup: typeof setup
  signup: typeof signup
  stats: typeof stats
  subscriptions: typeof subscriptions
  support: typeof support
  tenants: typeof tenants
  userfields: typeof userfields
  users: typeof users
  usersettings: typeof usersettings
  wallet: typeof wallet
}

export type Area = keyof Catalogues

/** Areas whose parts also show the personal fields of users. */
export const withUserFields: ReadonlySet<Area> = new Set<Area>(['customer', 'events', 'imports', 'users'])

/** The id of a message: any key of an English catalogue. */
export type MessageKey = { [A in Area]: Extract<keyof Catalogues[A], string> }[Area]
