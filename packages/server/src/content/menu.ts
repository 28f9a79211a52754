import type { Language } from '@gatehouse/contract/language'
import type { MenuEntry } from '@gatehouse/contract/page-config'
import type { Variant } from '@gatehouse/contract/route'
import type { Theme } from './theme.ts'
import type { ThemeMenuEntry } from './theme-schema.ts'

export interface MenuAudience {
  variant: Variant
  languages: readonly Language[]
}

/**
 * Returns the menu of the page config. The admin host gets only entries marked for admins, the other hosts get
 * all entries except admin-only ones. The mark itself is not sent.
 */
export function menuFor(theme: Theme, { variant, languages }: MenuAudience): MenuEntry[] {
  return theme.menu
    .filter(({ admin }) => (variant === 'admin' ? Boolean(admin) : admin !== 'only'))
    .map(({ admin: _admin, ...entry }) => ({ ...entry, ...titles(theme, entry.label, languages) }))
}

function titles(
  theme: Theme,
  label: ThemeMenuEntry['label'],
  languages: readonly Language[],
): Record<`title-${string}`, string> {
  const titled: Record<`title-${string}`, string> = {}
  for (const language of languages) {
    const title = theme.strings[language][`menu.${label}`]
    if (title) titled[`title-${language}`] = title
  }
  return titled
}
