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

/** What the page host puts into every page for the browser; screens reference §1. */
export interface PageConfig {
  'app.name': string
  /** Address of the portal as the brand has it, for texts. Nothing is built from it, see `app.installation_url`. */
  'app.url': string
  /** Address of the installation itself, whatever the brand; no tenant decides it. */
  'app.installation_url': string
  'app.domain': string
  'app.theme': string
  /** Address of the theme's logo. */
  'app.logo': string
  /** The tenant whose name and look the page bears; null: the installation's own. */
  'app.tenant': number | null
  'app.webmail_url': string | null
  'app.support_email': string | null
  'app.company.copyright': string
  'app.company.footer': string | null
  'app.companion_download_link': string | null
  'app.shared_folder_types': string[]
  'app.with_signup': boolean
  /** Days within which what was deleted may be restored; so long its addresses stay taken. */
  'app.retention_days': number
  /** Year and day of the build, `YYYY-MM-DD`. */
  'app.build': string
  /** Where content of files is loaded from; null: from the page's own origin. */
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
