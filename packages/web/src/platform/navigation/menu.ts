import type { Language } from '@gatehouse/contract/language'
import { optionalText } from '../../i18n/i18n.ts'
import { config, type MenuEntry, variant } from '../config.ts'

export interface MenuItem {
  /** Used for the class `link-<label>`. */
  label: string
  title: string
  to: string
  external: boolean
  /** Sign in and sign out are shown as a pill. */
  pill?: true
}

interface Situation {
  loggedIn: boolean
  /** A second factor must be set up first; until then, the dashboard isn't available. */
  mustEnrol?: boolean
  language: Language
  place: 'header' | 'footer'
}

/** Returns the entries of the header or footer menu, in product order. */
export function menuItems({ loggedIn, mustEnrol, language, place }: Situation): MenuItem[] {
  const entries = config.menu.filter((entry) => isShown(entry, loggedIn, place))
  const items: MenuItem[] = []
  const has = (label: string) => config.menu.some((entry) => entry.label === label)
  const own = (label: string, to: string, pill?: true): MenuItem => ({
    label,
    title: labelText(label),
    to,
    external: false,
    pill,
  })
  const isUser = variant() === 'user'
  if (config['app.with_signup'] && !loggedIn && isUser && !has('signup')) items.push(own('signup', '/signup'))
  items.push(...entries.map((entry) => themeItem(entry, language)))
  if (loggedIn && !mustEnrol && !has('dashboard')) {
    items.push({ ...own('dashboard', '/dashboard'), title: labelText(isUser ? 'dashboard' : 'cockpit') })
  }
  items.push(loggedIn ? own('logout', '/logout', true) : own('login', '/login', true))
  return items
}

/** Returns the theme's menu entry for a path. */
export function menuEntryAt(path: string): MenuEntry | undefined {
  return config.menu.find((entry) => entry.location === path)
}

function isShown(entry: MenuEntry, loggedIn: boolean, place: Situation['place']): boolean {
  if (!entry.label || !entry.location) {
    console.error('Menu entry without label or location', entry)
    return false
  }
  if (entry.footer && place === 'header') return false
  return entry.authenticated === undefined || entry.authenticated === loggedIn
}

function themeItem(entry: MenuEntry, language: Language): MenuItem {
  const title = entry[`title-${language}`] ?? entry['title-en'] ?? entry.title ?? labelText(entry.label)
  return { label: entry.label, title, to: entry.location, external: /^https?:/.test(entry.location) }
}

function labelText(label: string): string {
  return optionalText(`menu.${label}`) ?? label
}
