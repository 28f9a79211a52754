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

/** The configuration of this page. Themes and static pages read the same object as `window.config`. */
export const config: PageConfig = { ...defaults, ...page.config }

window.config = config
window.isAdmin = page.isAdmin ?? false
window.isReseller = page.isReseller ?? false

/** Which of the three front ends this page is. */
export function variant(): Variant {
  if (window.isAdmin) return 'admin'
  return window.isReseller ? 'reseller' : 'user'
}

/** Whether the support form has somebody who reads it. Staff are on the other side of it. */
export function canContactSupport(): boolean {
  return variant() === 'user' && config['app.support_email'] !== null
}

/**
 * Path below which the portal lives on each of its hosts, without a trailing slash; empty at the root. It is that of the
 * installation: what a tenant says of itself decides no address.
 */
export function basePath(): string {
  const url = config['app.installation_url']
  if (!url) return ''
  return new URL(url, window.location.href).pathname.replace(/\/+$/, '')
}

/** Address of the users' portal, without a trailing slash: where its own pages are, seen from a cockpit the main one. */
export function portalAddress(): string {
  const { origin } = window.location
  const main = variant() === 'user' ? origin : config['app.installation_url'] || origin
  return new URL(main).origin + basePath()
}
