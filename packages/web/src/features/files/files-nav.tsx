import { useT } from '../../i18n/i18n.ts'
import { Link } from '../../router/link.tsx'
import '../../ui/page/tabs.css'

const places = [
  { name: 'own', to: '/files', label: 'files.own' },
  { name: 'shared', to: '/files/shared', label: 'files.shared' },
  { name: 'trash', to: '/files/trash', label: 'files.trash' },
] as const

export type FilesPlace = (typeof places)[number]['name']

/** The three places of files; none is the present one while it is not known whose a folder is. */
export function FilesNav({ current }: { current: FilesPlace | undefined }) {
  const t = useT()
  return (
    <nav className="tabs tabs-outside files-nav" aria-label={t('files.places')}>
      {places.map(({ name, to, label }) => (
        <Link
          key={name}
          to={to}
          // the root is no way to the other two
          aria-current={name === current ? 'page' : undefined}
        >
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
