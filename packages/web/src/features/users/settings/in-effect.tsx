import { useT } from '../../../i18n/i18n.ts'

/** What holds now, as the server says, whatever the form is being changed to. */
export function InEffect({ children }: { children: string | undefined }) {
  const t = useT()
  return (
    <span className="in-effect">
      {/* the room is kept until the answer is there */}
      {children ? t('usersettings.inEffect', { what: children }) : ' '}
    </span>
  )
}
