import type { PageBoot, PageConfig } from '@gatehouse/contract/page-config'
import type { Variant } from '@gatehouse/contract/route'

export type { MenuEntry } from '@gatehouse/contract/page-config'
export type { Variant }

const defaults: PageConfig = {
  'app.name': 'Gatehouse',
  'app.url': '',
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

/** Path part of `app.url` without a trailing slash; empty when the portal lives at the root of its host. */
export function basePath(): string {
  const url = config['app.url']
  if (!url) return ''
  return new URL(url, window.location.href).pathname.replace(/\/+$/, '')
}
