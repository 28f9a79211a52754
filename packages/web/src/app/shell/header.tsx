import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { type MenuItem, menuItems } from '../../platform/navigation/menu.ts'
import { useLoggedIn, useUser } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { useLocation } from '../../router/router-context.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Brand } from './brand.tsx'
import { JumpBox } from './palette-slot.tsx'
import { LanguageMenu, SchemeMenu } from './preferences.tsx'
import { MenuSections } from './sections.tsx'

/**
 * The header: brand, menu, language, colour scheme, sign in or out. On phones the menu is behind a button.
 */
export function Header() {
  const t = useT()
  const language = useLanguage()
  const loggedIn = useLoggedIn()
  const user = useUser()
  const mustEnrol = user?.mustEnrol === true || user?.isStranger === true
  const path = useLocation().href
  // Bound to a URL, so that every navigation closes the menu.
  const [openAt, setOpenAt] = useState<string>()
  const open = openAt === path

  const items = menuItems({ loggedIn, mustEnrol, language, place: 'header' })
  const plain = items.filter((item) => !item.pill)
  const pills = items.filter((item) => item.pill)

  return (
    <header
      className={variant() === 'user' ? 'lintel' : 'lintel lintel-cockpit'}
      data-open={open || undefined}
    >
      <div className="page">
        <Brand />
        <JumpBox />
        <button
          type="button"
          className="lintel-item lintel-toggle"
          aria-label={t(open ? 'shell.closeMenu' : 'shell.openMenu')}
          aria-expanded={open}
          aria-controls="main-menu"
          onClick={() => setOpenAt(open ? undefined : path)}
        >
          <Icon of={open ? IconX : IconMenu2} />
        </button>
        <nav id="main-menu" aria-label={t('shell.mainMenu')}>
          <MenuSections />
          {plain.map((item) => (
            <MenuLink key={item.label} item={item} />
          ))}
          <SchemeMenu />
          <LanguageMenu />
          {pills.map((item) => (
            <MenuLink key={item.label} item={item} />
          ))}
        </nav>
      </div>
    </header>
  )
}

function MenuLink({ item: { label, title, to, external, pill } }: { item: MenuItem }) {
  const className = `lintel-item link-${label}${pill ? ' lintel-pill' : ''}`
  if (external) {
    return (
      <a className={className} href={to}>
        {title}
      </a>
    )
  }
  return (
    <Link className={className} to={to}>
      {title}
    </Link>
  )
}
