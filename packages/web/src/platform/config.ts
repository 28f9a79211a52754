import type { PageBoot, PageConfig } from '@gatehouse/contract/page-config'
import type { Variant } from '@gatehouse/contract/route'

export type { MenuEntry } from '@gatehouse/contract/page-config'
export type { Variant }

const defaults: PageConfig = {
  'app.name': 'Gatehouse',
  'app.url': '',
  'app.installation_url': '',
  'app.domain': '',
  'app.theme': 'default',
  'app.logo': '',
  'app.tenant': null,
  'app.webmail_url': null,
  'app.mail_connected': true,
  'app.support_email': null,
  'app.company.copyright': '',
  'app.company.footer': null,
  'app.companion_download_link': null,
  'app.shared_folder_types': ['mail'],
  'app.with_signup': false,
  'app.retention_days': 30,
  'app.build': '',
  'app.files_origin': null,
  'mail.from.address': null,
  countries: {},
  languages: ['en'],
  menu: [],
  paymentProvider: '',
  stripePK: null,
  jsapp: 'user.js',
  view: 'root',
}

function readPage(): Partial<PageBoot> {
  const text = document.getElementById('config')?.textContent
  return text ? JSON.parse(text) : {}
}

const page = readPage()

/** Configuration of this page. Themes and static pages read the same object as `window.config`. */
export const config: PageConfig = { ...defaults, ...page.config }

window.config = config
window.isAdmin = page.isAdmin ?? false
window.isReseller = page.isReseller ?? false

/** Returns which of the three front ends this page is. */
export function variant(): Variant {
  if (window.isAdmin) return 'admin'
  return window.isReseller ? 'reseller' : 'user'
}

/** Whether support can be contacted. Staff can't, as they are the support. */
export function canContactSupport(): boolean {
  return variant() === 'user' && config['app.support_email'] !== null
}

/**
 * Path of the portal on each of its hosts, without a trailing slash; empty at the root. Set by the
 * installation; tenant settings don't affect URLs.
 */
export function basePath(): string {
  const url = config['app.installation_url']
  if (!url) return ''
  return new URL(url, window.location.href).pathname.replace(/\/+$/, '')
}

/** URL of the users' portal, without a trailing slash: the current one, or the main one from a cockpit. */
export function portalAddress(): string {
  const { origin } = window.location
  const main = variant() === 'user' ? origin : config['app.installation_url'] || origin
  return new URL(main).origin + basePath()
}
