import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import { useQuery } from '@tanstack/react-query'
import { EditFrame } from '../../domain/directory/edit-frame.tsx'
import { Glance } from '../../domain/directory/glance.tsx'
import { HeldSubscriptions } from '../../domain/directory/held-subscriptions.tsx'
import type { RevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { policyLabels, readPolicy } from './invitation-policy.ts'
import { resourceLabels } from './resource-kind.ts'
import type { ResourceValues } from './use-resource-form.ts'

export interface GeneralTabProps {
  resource: ResourceDetail
  edit: RevisedForm<ResourceValues>
}

/** Name and address of a resource, and what it costs. */
export function GeneralTab({ resource, edit }: GeneralTabProps) {
  const t = useT()
  const params = { id: String(resource.id) }
  const skus = useQuery(apiQuery('GET /api/v4/resources/{id}/skus', { params }))
  const { policy } = readPolicy(resource.config.invitation_policy)
  return (
    <div className="columns">
      <EditFrame edit={edit} labels={resourceLabels} label={t('directory.general')}>
        <FormSection title={t('directory.nameSection')} hint={t('directory.fixedAddress')}>
          <TextField
            {...edit.form.field('name')}
            label={t('directory.name')}
            required
            disabled={!resource.canUpdate}
            autoComplete="off"
            maxLength={191}
          />
          <TextField
            id="email"
            name="email"
            label={t('directory.email')}
            value={displayAddress(resource.email)}
            onValue={() => {}}
            disabled
          />
        </FormSection>
        <HeldSubscriptions held={resource.skus} wallet={resource.wallet} query={skus} />
      </EditFrame>
      <aside className="stack" aria-label={t('directory.facts')}>
        <Glance
          object={resource}
          more={[{ label: t('resources.policyShort'), value: t(policyLabels[policy]) }]}
        />
      </aside>
    </div>
  )
}
