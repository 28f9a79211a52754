import type { FigureName } from '@gatehouse/contract/staff/stats'
import type { MessageKey } from '../../i18n/areas.ts'
import { day, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { changeWords } from './change-words.ts'
import type { Span } from './stats-period.ts'

const labels: Record<FigureName, MessageKey> = {
  'users-created': 'stats.newUsers',
  'users-deleted': 'stats.deletedUsers',
  users: 'stats.usersAll',
  payers: 'stats.payers',
  income: 'stats.income',
}

/** Key figures, each compared with the previous period. */
export function FiguresStrip({ span }: { span: Span }) {
  const t = useT()
  const { data, isError, refetch } = useApiPage('GET /api/v4/stats/figures', { query: { ...span } })
  if (isError && !data) {
    return (
      <section className="panel panel-body" aria-label={t('stats.figures')}>
        <LoadFailed onRetry={refetch} />
      </section>
    )
  }
  const say = (name: FigureName, value: number) =>
    name === 'income' ? price(Math.round(value * 100), data?.currency) : number(value)
  return (
    <section className="panel stats-figures" aria-label={t('stats.figures')} aria-busy={!data || undefined}>
      {!data && (
        <Loading>
          <Skeleton width={120} height={58} />
        </Loading>
      )}
      {data && (
        <>
          <dl>
            {data.figures.map(({ name, value, before }) => {
              const change = changeWords(value, before)
              return (
                <div key={name}>
                  <dt>{t(labels[name])}</dt>
                  <dd>
                    <b>{value === null ? '–' : say(name, value)}</b>
                    <span className="small text-2">
                      {change ?? t('stats.noComparison')}
                      {before !== null && change !== undefined && (
                        <span className="text-3"> · {t('stats.before', { value: say(name, before) })}</span>
                      )}
                    </span>
                  </dd>
                </div>
              )
            })}
          </dl>
          <p className="small text-3">
            {t('stats.compared', {
              from: dayWords(data.previous.from),
              to: dayWords(data.previous.to),
            })}
          </p>
        </>
      )}
    </section>
  )
}

function dayWords(date: string): string {
  return day(date, { dateStyle: 'medium', timeZone: 'UTC' })
}
