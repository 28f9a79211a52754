import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { Link } from '../../router/link.tsx'

/** Hint for existing customers who came here by mistake. */
export function Customer() {
  const t = useT()
  return (
    <span className="small text-3">
      {rich(t('signup.customer'), { link: (words) => <Link to="/login">{words}</Link> })}
    </span>
  )
}
