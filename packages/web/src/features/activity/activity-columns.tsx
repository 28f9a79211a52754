import { displayAddress } from '@gatehouse/contract/canonical-address'
import { kinds } from '@gatehouse/contract/directory/kinds'
import type { AuditEvent } from '@gatehouse/contract/events'
import { isMailKind, pageOf } from '../../domain/directory/kind.ts'
import { EventCell } from '../../domain/events/event-cell.tsx'
import { EventSource, EventTime } from '../../domain/events/event-facts.tsx'
import { isByUnknown } from '../../domain/events/sign-in-words.ts'
import { useSkuNames } from '../../domain/subscriptions/sku-names.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { objectLabels } from './activity-place.ts'

/** The columns of the record of an account. */
export function useActivityColumns(): readonly Column<AuditEvent>[] {
  const t = useT()
  const skuNames = useSkuNames()
  return [
    {
      name: 'event',
      label: t('events.event'),
      phone: 'main',
      width: '42%',
      cell: (event) => <EventCell event={event} skuNames={skuNames} />,
    },
    {
      name: 'object',
      label: t('activity.object'),
      phone: 'meta',
      cell: (event) => <ObjectCell event={event} />,
    },
    {
      name: 'actor',
      label: t('words.who'),
      phone: 'meta',
      cell: (event) => <ActorCell event={event} />,
    },
    {
      name: 'time',
      label: t('words.when'),
      phone: 'meta',
      align: 'end',
      cell: (event) => <EventTime event={event} />,
    },
  ]
}

/** What it happened to; what is still there has a page. */
function ObjectCell({ event: { objectType, objectId, object, objectDeleted } }: { event: AuditEvent }) {
  const t = useT()
  const kind = isMailKind(objectType) ? objectType : undefined
  const name = object === null ? t('activity.number', { number: objectId }) : displayAddress(object)
  const isThere = object !== null && !objectDeleted
  return (
    <>
      {kind && isThere && hasPermission(kinds[kind].permission) ? (
        <Link className="activity-name" to={`${pageOf(kind)}/${objectId}`}>
          {name}
        </Link>
      ) : (
        <span className="activity-name text-2">{name}</span>
      )}
      <span className="data-second activity-kind">
        {kind ? t(objectLabels[kind]) : objectType}
        {!isThere && ` · ${t('activity.gone')}`}
      </span>
    </>
  )
}

/** Who did it; the name narrows the list to that person. */
function ActorCell({ event }: { event: AuditEvent }) {
  const t = useT()
  const { actor } = event
  return (
    <>
      {actor ? (
        <Link
          className="activity-name activity-actor"
          to="/activity"
          search={{ actor }}
          title={t('activity.onlyPerson', { person: displayAddress(actor) })}
        >
          {displayAddress(actor)}
        </Link>
      ) : (
        t(isByUnknown(event.event) ? 'events.unknownActor' : 'events.system')
      )}
      <EventSource source={event} />
    </>
  )
}
