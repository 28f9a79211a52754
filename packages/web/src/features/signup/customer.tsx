import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { Link } from '../../router/link.tsx'

/** For those who came to the wrong door. */
export function Customer() {
  const t = useT()
  return (
    <span className="small text-3">
      {rich(t('signup.customer'), { link: (words) => <Link to="/login">{words}</Link> })}
    </span>
  )
}
