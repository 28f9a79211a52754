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
 * The menu of the page config. The admin host shows only what is meant for it, the others all but what
 * is meant for it alone; the mark itself is not sent.
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
