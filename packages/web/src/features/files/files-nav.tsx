import { useT } from '../../i18n/i18n.ts'
import { Link } from '../../router/link.tsx'
import '../../ui/page/tabs.css'

const places = [
  { name: 'own', to: '/files', label: 'files.own' },
  { name: 'shared', to: '/files/shared', label: 'files.shared' },
  { name: 'trash', to: '/files/trash', label: 'files.trash' },
] as const

export type FilesPlace = (typeof places)[number]['name']

/** Tabs of the three areas of files; none is current until a folder's owner is known. */
export function FilesNav({ current }: { current: FilesPlace | undefined }) {
  const t = useT()
  return (
    <nav className="tabs tabs-outside files-nav" aria-label={t('files.places')}>
      {places.map(({ name, to, label }) => (
        <Link
          key={name}
          to={to}
          // from the root there is no path to the other two
          aria-current={name === current ? 'page' : undefined}
        >
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
