import { useId } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { basePath } from '../../platform/config.ts'
import { useInternalLinks } from '../../platform/navigation/internal-links.ts'
import './page-faq.css'

/** The FAQ of the page at `path`; renders nothing if there is none or loading fails. */
export function PageFaq({ path }: { path: string }) {
  const t = useT()
  const titleId = useId()
  const followLink = useInternalLinks()
  const { data } = useApi('GET /content/faq/{*}', { params: { '*': path } })
  if (!data || data.faq.length === 0) return null
  return (
    <section className="page-faq" aria-labelledby={titleId}>
      <h2 id={titleId}>{t('faq.title')}</h2>
      <ul>
        {data.faq.map(({ href, label, title }) => (
          <li key={label}>
            <a href={href.startsWith('/') ? basePath() + href : href} onClick={followLink}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
