import { useQuery } from '@tanstack/react-query'
import { headingOf, hitGroups } from '../../../domain/search/hits.ts'
import { OptionText } from '../../../domain/search/option-text.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Link } from '../../../router/link.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

/** Domains, lists, resources and folders that match a text, by kind, below the customers. */
export function OtherHits({ text }: { text: string }) {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['staff-hits', text],
    queryFn: ({ signal }) => call('GET /api/v4/search @staff', { query: { q: text }, signal }),
  })
  const groups = hitGroups((data?.list ?? []).filter(({ type }) => type !== 'user'))
  return groups.map(({ name, options }) =>
    name === 'recent' || name === 'screens' || name === 'actions' ? null : (
      <div key={name} className="customer-results">
        <Panel title={t(headingOf(name, true))}>
          <ul className="other-hits">
            {options.map((option) => (
              <li key={option.key}>
                <Link to={option.to ?? '/dashboard'}>
                  <OptionText option={option} text={text} />
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    ),
  )
}
