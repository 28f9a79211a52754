import { useT } from '../../../i18n/i18n.ts'

/** The value currently in effect according to the server, regardless of unsaved changes. */
export function InEffect({ children }: { children: string | undefined }) {
  const t = useT()
  return (
    <span className="in-effect">
      {/* the room is kept until the answer is there */}
      {children ? t('usersettings.inEffect', { what: children }) : ' '}
    </span>
  )
}
