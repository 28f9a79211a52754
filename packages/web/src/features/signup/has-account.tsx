import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { Link } from '../../router/link.tsx'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'

/** Shown when the link of a completed sign-up is opened again. */
export function HasAccount() {
  const t = useT()
  const reset = (words: string) => <Link to="/password-reset">{words}</Link>
  return (
    <Entrance title={t('signup.hasAccount')} lead={t('signup.hasAccountText')}>
      <div className="stack">
        <ButtonLink variant="primary" size="large" icon={IconLogin2} to="/login">
          {t('menu.login')}
        </ButtonLink>
        <p className="small text-2">{rich(t('signup.hasAccountReset'), { link: reset })}</p>
      </div>
    </Entrance>
  )
}
