import { day } from '../../i18n/format.ts'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { menuItems } from '../../platform/navigation/menu.ts'
import { useLoggedIn, useUser } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'

const thisYear = String(new Date().getFullYear())

export function Footer({ name }: { name: string }) {
  const t = useT()
  const language = useLanguage()
  const loggedIn = useLoggedIn()
  const user = useUser()
  const mustEnrol = user?.mustEnrol === true || user?.isStranger === true
  const build = config['app.build']
  // Builds without a release have no build date.
  const built = /^\d{4}-/.test(build)
  const year = built ? build.slice(0, 4) : thisYear
  const company = config['app.company.footer']
  return (
    <footer className="footer">
      <div className="page">
        <p>
          <span>{t('shell.copyright', { year, name: config['app.company.copyright'] || name })}</span>
          {company && <span>{company}</span>}
          {built && <span>{t('shell.build', { date: day(build.slice(0, 10)) })}</span>}
        </p>
        <nav aria-label={t('shell.footerMenu')}>
          {menuItems({ loggedIn, mustEnrol, language, place: 'footer' }).map(
            ({ label, title, to, external }) =>
              external ? (
                <a key={label} className={`link-${label}`} href={to}>
                  {title}
                </a>
              ) : (
                <Link key={label} className={`link-${label}`} to={to}>
                  {title}
                </Link>
              ),
          )}
        </nav>
      </div>
    </footer>
  )
}
