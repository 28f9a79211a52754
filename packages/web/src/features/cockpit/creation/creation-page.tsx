import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { CreatedKind, CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import type { ReactNode } from 'react'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { createdObjects } from './created-objects.ts'

export interface CreationPageProps {
  kind: CreatedKind
  children: (offer: CreationOffer) => ReactNode
}

/** Page on which staff create an object in a customer's account, or the reason why they can't. */
export function CreationPage({ kind, children }: CreationPageProps) {
  return (
    <ObjectRoute
      param="user"
      object={(id) => (
        <Loaded key={id} id={id} kind={kind}>
          {children}
        </Loaded>
      )}
    />
  )
}

function Loaded({ id, kind, children }: CreationPageProps & { id: string }) {
  const t = useT()
  const query = useApi('GET /api/v4/accounts/{id}/creation', { params: { id } }, { staleTime: 0 })
  return (
    <ObjectLoader query={query}>
      {(offer) => {
        const owner = displayAddress(offer.owner.email)
        const obstacle = obstacleOf(offer, kind)
        const page = `/user/${offer.owner.id}`
        return (
          <>
            <PageHead
              title={t(createdObjects[kind].title)}
              facts={!obstacle && t('creation.lead', { owner })}
              trail={[
                { label: t('cockpit.customers'), to: '/dashboard' },
                { label: owner, to: page },
              ]}
            />
            {obstacle ? (
              <Panel flush>
                <EmptyState
                  title={t('creation.obstacle')}
                  action={<ButtonLink to={page}>{t('creation.back', { owner })}</ButtonLink>}
                >
                  {t(obstacle)}
                </EmptyState>
              </Panel>
            ) : (
              children(offer)
            )}
          </>
        )
      }}
    </ObjectLoader>
  )
}

const obstacles = {
  degraded: 'creation.degraded',
  locked: 'creation.locked',
  refused: 'creation.refused',
} as const satisfies Record<NonNullable<CreationOffer['obstacle']>, MessageKey>

function obstacleOf(offer: CreationOffer, kind: CreatedKind): MessageKey | undefined {
  if (offer.obstacle) return obstacles[offer.obstacle]
  if (!offer.kinds.includes(kind)) return 'creation.notOffered'
  if (!createdObjects[kind].needsDomain || offer.domains.length > 0) return undefined
  return offer.isDomainWaiting ? 'creation.unconfirmed' : 'creation.noDomain'
}
