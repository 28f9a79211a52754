import type { FolderRight, FolderType } from '@gatehouse/contract/directory/folders'
import type { Role } from '../../platform/http/callers/principal.ts'

/** Password of every demo login. */
export const demoPassword = 'simple123'

export interface DemoUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly organization?: string
  readonly plan?: 'individual' | 'group'
  /** Owner of the user's account; absent: the user is an owner. */
  readonly account?: string
  /** Another user of the account on whose behalf the user acts. */
  readonly delegateOf?: string
  readonly domain?: string
  readonly aliases?: readonly string[]
  readonly role?: Role
  /** Days since the account was created; absent: today. */
  readonly daysAgo?: number
  /** Percent, from a discount without a code. */
  readonly discount?: number
  /** What the login demonstrates, printed on the first start. */
  readonly shows: string
}

/** Ordered: owners come before the other users of their account. */
export const demoUsers: readonly DemoUser[] = [
  {
    email: 'owner@acme.test',
    daysAgo: 100,
    firstName: 'Olivia',
    lastName: 'Berger',
    organization: 'Acme AG',
    plan: 'group',
    domain: 'acme.test',
    aliases: ['olivia.berger@acme.test'],
    discount: 30,
    shows: 'account owner with a custom domain',
  },
  {
    email: 'jane@acme.test',
    daysAgo: 100,
    firstName: 'Jane',
    lastName: 'Favre',
    plan: 'group',
    account: 'owner@acme.test',
    aliases: ['jane.favre@acme.test'],
    shows: 'user of that account',
  },
  {
    email: 'ned@acme.test',
    daysAgo: 100,
    firstName: 'Ned',
    lastName: 'Keller',
    plan: 'group',
    account: 'owner@acme.test',
    delegateOf: 'owner@acme.test',
    shows: 'delegate in that account',
  },
  {
    email: 'solo@example.test',
    firstName: 'Sol',
    lastName: 'Lorenz',
    plan: 'individual',
    shows: 'individual account',
  },
  {
    email: 'degraded@example.test',
    firstName: 'Dario',
    lastName: 'Rossi',
    plan: 'individual',
    daysAgo: 80,
    shows: 'degraded account in debt',
  },
  { email: 'admin@example.test', firstName: 'Ada', lastName: 'Admin', role: 'admin', shows: 'admin cockpit' },
  {
    email: 'reseller@partner.test',
    firstName: 'Rita',
    lastName: 'Partner',
    role: 'reseller',
    shows: 'reseller cockpit',
  },
]

export const demoDiscounts = [
  {
    code: 'TEST100',
    percent: 100,
    description: {
      en: 'Free account',
      de: 'Kostenloses Konto',
      fr: 'Compte gratuit',
      it: 'Account gratuito',
    },
  },
  {
    code: 'TEST10',
    percent: 10,
    description: { en: 'Test voucher', de: 'Testgutschein', fr: 'Bon d’essai', it: 'Buono di prova' },
  },
  {
    code: null,
    percent: 30,
    description: { en: 'Education', de: 'Bildung', fr: 'Éducation', it: 'Istruzione' },
  },
] as const

/** Distribution lists of acme.test. */
export const demoLists = [
  {
    email: 'all@acme.test',
    name: 'All staff',
    members: ['jane@acme.test', 'ned@acme.test', 'owner@acme.test'],
    senders: [],
  },
  {
    email: 'sales@acme.test',
    name: 'Sales',
    members: ['agency@elsewhere.test', 'jane@acme.test'],
    senders: ['acme.test', '.partner.test'],
  },
] as const

/** Resources of acme.test; `decidedBy` answers invitations; null: they are accepted. */
export const demoResources = [
  { name: 'Meeting room', decidedBy: null },
  { name: 'Company car', decidedBy: 'owner@acme.test' },
] as const

/** Rooms of acme.test; `moderators` may open the shared room without the owner. */
export const demoRooms = [
  {
    name: 'acme-daily',
    description: 'Daily stand-up',
    sku: 'group-room',
    moderators: ['jane@acme.test'],
    locked: false,
    password: null,
  },
  {
    name: 'acme-board',
    description: 'Board meeting',
    sku: 'room',
    moderators: [],
    locked: true,
    password: 'simple123',
  },
] as const

interface DemoFolder {
  readonly type: FolderType
  readonly name: string
  readonly aliases: readonly string[]
  readonly acl: Readonly<Record<string, FolderRight>>
}

/** Shared folders of acme.test, one of each type. */
export const demoFolders: readonly DemoFolder[] = [
  { type: 'mail', name: 'Support', aliases: ['support@acme.test'], acl: { anyone: 'read-write' } },
  {
    type: 'event',
    name: 'Team calendar',
    aliases: [],
    acl: { anyone: 'read-only', 'jane@acme.test': 'full' },
  },
  { type: 'contact', name: 'Customers', aliases: [], acl: { anyone: 'read-write' } },
  { type: 'task', name: 'To do', aliases: [], acl: { anyone: 'read-write' } },
  { type: 'note', name: 'Minutes', aliases: [], acl: { anyone: 'read-only', 'ned@acme.test': 'read-write' } },
  { type: 'file', name: 'Templates/Letters', aliases: [], acl: { 'jane@acme.test': 'full' } },
]

/** Additional plans, so that there is one of each mode; each uses the packages of another plan. */
export const demoPlans = [
  {
    title: 'phone',
    // after the plans of the catalogue
    position: 1,
    mode: 'mandate',
    like: 'individual',
    months: 1,
    freeMonths: 0,
    name: { en: 'Phone', de: 'Telefon', fr: 'Téléphone', it: 'Telefono' },
    description: {
      en: '<p>For one person who wants to start at once and pay by card.</p><ul><li>Mail, calendar, contacts and tasks</li><li>5 GB of storage</li><li>No confirmation by e-mail</li></ul>',
      de: '<p>Für eine Person, die sofort beginnen und per Karte bezahlen möchte.</p><ul><li>E-Mail, Kalender, Kontakte und Aufgaben</li><li>5 GB Speicherplatz</li><li>Keine Bestätigung per E-Mail</li></ul>',
      fr: '<p>Pour une personne qui veut commencer tout de suite et payer par carte.</p><ul><li>Courrier, calendrier, contacts et tâches</li><li>5 Go de stockage</li><li>Pas de confirmation par e-mail</li></ul>',
      it: '<p>Per una persona che vuole iniziare subito e pagare con carta.</p><ul><li>Posta, calendario, contatti e attività</li><li>5 GB di spazio</li><li>Nessuna conferma via e-mail</li></ul>',
    },
  },
  {
    title: 'club',
    position: 2,
    mode: 'token',
    like: 'individual',
    months: 1,
    freeMonths: 3,
    name: { en: 'Club', de: 'Verein', fr: 'Club', it: 'Associazione' },
    description: {
      en: '<p>For members of a club that gave them a token.</p><ul><li>Mail, calendar, contacts and tasks</li><li>5 GB of storage</li><li>Three months free</li></ul>',
      de: '<p>Für Mitglieder eines Vereins, von dem sie ein Token haben.</p><ul><li>E-Mail, Kalender, Kontakte und Aufgaben</li><li>5 GB Speicherplatz</li><li>Drei Monate kostenlos</li></ul>',
      fr: '<p>Pour les membres d’un club qui leur a donné un jeton.</p><ul><li>Courrier, calendrier, contacts et tâches</li><li>5 Go de stockage</li><li>Trois mois gratuits</li></ul>',
      it: '<p>Per i membri di un’associazione che ha dato loro un token.</p><ul><li>Posta, calendario, contatti e attività</li><li>5 GB di spazio</li><li>Tre mesi gratuiti</li></ul>',
    },
  },
] as const

/** Unlocks the plan in token mode. */
export const demoToken = 'DEMO-TOKEN'

/** Address with a pending invitation. */
export const demoInvitation = 'guest@elsewhere.test'

export const demoProgram = {
  name: {
    en: 'Bring a friend',
    de: 'Freunde einladen',
    fr: 'Parrainer un ami',
    it: 'Porta un amico',
  },
  description: {
    en: 'You get CHF 10 when somebody signs up with your code and has paid CHF 20.',
    de: 'Sie erhalten CHF 10, wenn sich jemand mit Ihrem Code registriert und CHF 20 bezahlt hat.',
    fr: 'Vous recevez CHF 10 lorsqu’une personne s’inscrit avec votre code et a payé CHF 20.',
    it: 'Riceve CHF 10 quando qualcuno si registra con il Suo codice e ha pagato CHF 20.',
  },
  /** Cents. */
  award: 1000,
  /** Cents. */
  threshold: 2000,
} as const

/** An application that demo users can connect; it is public and thus uses PKCE. */
export const demoClient = {
  id: '01890000-0000-7000-8000-00000000de30',
  name: 'demo-app',
  redirectUris: ['http://localhost:4000/callback', 'http://127.0.0.1:4000/callback'],
  postLogoutRedirectUris: ['http://localhost:4000/'],
} as const

/** A shared collection of the owner. */
export const demoCollection = 'Projects'

/** Small files of the owner; the shared ones are in the collection. */
export const demoFiles: readonly {
  readonly name: string
  readonly isShared: boolean
  readonly content: string
}[] = [
  {
    name: 'Minutes 2026.md',
    isShared: true,
    content: '# Minutes\n\n- The new rooms open in spring.\n- Jane looks after the move.\n',
  },
  {
    name: 'Budget.csv',
    isShared: true,
    content: 'Item;CHF\nFurniture;4200\nMove;1800\nCables;350\n',
  },
  {
    name: 'Welcome.txt',
    isShared: false,
    content: 'Files lie here encrypted, are kept in versions, and wait in the trash for a month.\n',
  },
]
