import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffResourceDetail } from '@gatehouse/contract/staff/staff-views'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Deletion } from '../shared/deletion.tsx'
import { FactList } from '../shared/fact-list.tsx'
import { Restoration } from '../shared/restoration.tsx'
import { ObjectFrame } from './object-frame.tsx'

/** A resource of a customer, as staff see it. */
export function StaffResourcePage() {
  return <ObjectRoute object={(id) => <Loaded key={id} id={id} />} />
}

function Loaded({ id }: { id: string }) {
  const query = useApi('GET /api/v4/resources/{id} @staff', { params: { id } })
  return <ObjectLoader query={query}>{(one) => <ResourceScreen resource={one} />}</ObjectLoader>
}

const policyLabels: Readonly<Record<string, MessageKey>> = {
  accept: 'resources.accept',
  manual: 'resources.manual',
  reject: 'resources.reject',
}

function ResourceScreen({ resource }: { resource: StaffResourceDetail }) {
  const t = useT()
  const [policy = '', ...decider] = resource.config.invitation_policy.split(':')
  const label = policyLabels[policy]
  return (
    <ObjectFrame
      object={resource}
      title={displayAddress(resource.email)}
      kind={t('words.resource')}
      log="resource"
      facts={[{ label: t('words.name'), value: resource.name }]}
      actions={
        <Deletion kind="resources" id={resource.id} name={displayAddress(resource.email)} rights={resource} />
      }
      notes={
        <Restoration
          kind="resources"
          id={resource.id}
          name={displayAddress(resource.email)}
          deletedAt={resource.deleted_at}
          until={resource.restorable_until}
          canRestore={resource.canRestore}
          effects={[t('customer.restoreResource'), t('customer.restoreCosts')]}
        />
      }
      tabs={[
        {
          name: 'settings',
          label: t('words.settings'),
          content: () => (
            <Panel title={t('words.settings')}>
              <div className="cockpit-wide-facts">
                <FactList
                  facts={[
                    {
                      label: t('words.invitations'),
                      value: [label ? t(label) : policy, displayAddress(decider.join(':'))]
                        .filter(Boolean)
                        .join(' · '),
                    },
                  ]}
                />
              </div>
            </Panel>
          ),
        },
      ]}
    />
  )
}
