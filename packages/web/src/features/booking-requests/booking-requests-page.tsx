import type { BookingRequest } from '@gatehouse/contract/mail/booking-requests'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { shownAddress } from '../../domain/mail-trace/shown-address.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { bookingTime } from './booking-time.ts'
import './booking-requests.css'

const changed = ['GET /api/v4/booking-requests', 'GET /api/v4/overview'] as const

/** Bookings that wait for the reader, who manages the resource. */
export function BookingRequestsPage() {
  const t = useT()
  const { data, isError, refetch } = useApi('GET /api/v4/booking-requests', {})
  return (
    <>
      <PageHead title={t('bookings.title')} facts={t('bookings.facts')} />
      <Panel busy={data === undefined && !isError}>
        {isError && <LoadFailed onRetry={refetch} />}
        {data?.list.length === 0 && (
          <EmptyState title={t('bookings.none')}>{t('bookings.noneText')}</EmptyState>
        )}
        {data !== undefined && data.list.length > 0 && (
          <ul className="booking-requests">
            {data.list.map((request) => (
              <Request key={request.id} request={request} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

function Request({ request }: { request: BookingRequest }) {
  const t = useT()
  const answer = useAct('POST /api/v4/booking-requests/{id}/answer', changed)
  const { id, resource, summary, organizer, isRecurring } = request
  const event = summary === '' ? t('bookings.untitled') : summary
  const time = bookingTime(request)
  const facts = [time, isRecurring ? t('bookings.repeats') : undefined].filter((one) => one !== undefined)
  const params = { id }
  return (
    <li>
      <div>
        <span>
          {t('bookings.wanted', { organizer: shownAddress(organizer), event, resource: resource.name })}
        </span>
        {facts.length > 0 && <span className="small text-3">{facts.join(' · ')}</span>}
      </div>
      <span className="booking-answers">
        <Button size="small" icon={IconCheck} onPress={() => answer({ params, body: { answer: 'accept' } })}>
          {t('bookings.accept')}
        </Button>
        <Button
          size="small"
          variant="quiet"
          icon={IconX}
          onPress={() => answer({ params, body: { answer: 'decline' } })}
        >
          {t('bookings.decline')}
        </Button>
      </span>
    </li>
  )
}
