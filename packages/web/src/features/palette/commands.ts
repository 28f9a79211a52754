import { isLanguage, languageNames } from '@gatehouse/contract/language'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import type { Option } from '../../domain/search/option.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { currentLanguage, type Translate } from '../../i18n/i18n.ts'
import { switchLanguage } from '../../i18n/switch-language.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { config, variant } from '../../platform/config.ts'
import { menuItems } from '../../platform/navigation/menu.ts'
import { sectionsFor } from '../../platform/navigation/sections.ts'
import { hasPermission, type Permission, type UserInfo } from '../../platform/session/auth.ts'
import { chooseScheme, schemeChoice } from '../../ui/color-scheme.ts'
import { whileLoading } from '../../ui/page/page-loader.tsx'

/** Screens the user may open. */
export function screenOptions(t: Translate, user: UserInfo): Option[] {
  const sections = sectionsFor(user).map(({ to, label }) => ({ to, title: t(label) }))
  const own = variant() === 'user' ? [{ to: '/settings', title: t('words.myAccount') }] : []
  const menu = menuItems({ loggedIn: true, language: currentLanguage(), place: 'footer' })
    .filter(({ pill, external, to }) => !pill && !external && to !== '/dashboard')
    .map(({ to, title }) => ({ to, title }))
  const extra = hasPermission('companionapps', user)
    ? [{ to: '/companions', title: t('words.companionApp') }]
    : []
  return [...sections, ...own, ...extra, ...menu].map(({ to, title }) => ({
    key: `screen ${to}`,
    title,
    icon: IconArrowRight,
    to,
  }))
}

interface Creation {
  readonly perm: Permission
  readonly title: MessageKey
  readonly to: string
  /** The permission is universal, but creating new ones is restricted. */
  readonly ofController?: boolean
}

const creations: readonly Creation[] = [
  { perm: 'users', title: 'words.newUser', to: '/user/new' },
  { perm: 'domains', title: 'words.newDomain', to: '/domain/new' },
  { perm: 'distlists', title: 'words.newDistributionList', to: '/distlist/new' },
  { perm: 'resources', title: 'words.newResource', to: '/resource/new' },
  { perm: 'folders', title: 'palette.newFolder', to: '/shared-folder/new' },
  { perm: 'rooms', title: 'palette.newRoom', to: '/room/new', ofController: true },
]

const schemes = [
  { name: 'light', icon: IconSun, title: 'palette.schemeLight' },
  { name: 'dark', icon: IconMoon, title: 'palette.schemeDark' },
  { name: 'system', icon: IconDeviceDesktop, title: 'palette.schemeSystem' },
] as const

/** Actions available to the user everywhere. */
export function actionOptions(t: Translate, user: UserInfo): Option[] {
  const isPaid = !user.isDegraded && !user.isAccountDegraded
  const isOwn = variant() === 'user'
  return [
    ...creations
      .filter(({ perm, ofController }) => {
        const mayCreate = ofController !== true || hasPermission('settings', user)
        return isOwn && isPaid && mayCreate && hasPermission(perm, user)
      })
      .map(({ title, to }) => ({ key: `new ${to}`, title: t(title), icon: IconPlus, to })),
    ...schemes
      .filter(({ name }) => name !== schemeChoice.get())
      .map(({ name, icon, title }) => ({
        key: `scheme ${name}`,
        title: t(title),
        words: t('palette.schemeWords'),
        icon,
        run: () => chooseScheme(name),
      })),
    ...config.languages
      .filter(isLanguage)
      .filter((name) => name !== currentLanguage())
      .map((name) => ({
        key: `language ${name}`,
        title: t('words.languageNamed', { name: languageNames[name] }),
        words: `language ${name}`,
        icon: IconLanguage,
        run: () => void whileLoading(switchLanguage(name)).catch(reportError),
      })),
    {
      key: 'logout',
      title: t('menu.logout'),
      words: t('palette.logoutWords'),
      icon: IconLogout,
      to: '/logout',
    },
  ]
}
