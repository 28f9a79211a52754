/** One entry of the header and footer menus; screens reference §4.2. */
export interface MenuEntry {
  label: string
  location: string
  page?: string
  title?: string
  footer?: boolean
  authenticated?: boolean
  [title: `title-${string}`]: string
}

/** Configuration that the page host embeds in every page; screens reference §1. */
export interface PageConfig {
  'app.name': string
  /** URL of the portal under its brand, for texts. URLs are built from `app.installation_url` instead. */
  'app.url': string
  /** URL of the installation itself, regardless of brand; tenants can't change it. */
  'app.installation_url': string
  'app.domain': string
  'app.theme': string
  /** URL of the theme's logo. */
  'app.logo': string
  /** The tenant whose name and branding the page has; null for the installation's own. */
  'app.tenant': number | null
  'app.webmail_url': string | null
  /** Whether a mail server is connected; otherwise mailboxes don't exist. */
  'app.mail_connected': boolean
  'app.support_email': string | null
  'app.company.copyright': string
  'app.company.footer': string | null
  'app.companion_download_link': string | null
  'app.shared_folder_types': string[]
  'app.with_signup': boolean
  /** Days within which deleted objects can be restored; their addresses stay taken for that time. */
  'app.retention_days': number
  /** Build date, `YYYY-MM-DD`. */
  'app.build': string
  /** Origin that file content is loaded from; null for the page's own origin. */
  'app.files_origin': string | null
  'mail.from.address': string | null
  countries: Record<string, [currency: string, name: string]>
  languages: string[]
  menu: MenuEntry[]
  paymentProvider: string
  stripePK: string | null
  jsapp: 'user.js' | 'admin.js' | 'reseller.js'
  view: 'root'
}

/** The JSON block `#config` of a page. */
export interface PageBoot {
  config: PageConfig
  isAdmin: boolean
  isReseller: boolean
}
