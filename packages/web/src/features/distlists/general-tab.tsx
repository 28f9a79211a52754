import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { useQuery } from '@tanstack/react-query'
import { AddressList } from '../../domain/address-list/address-list.tsx'
import { EditFrame } from '../../domain/directory/edit-frame.tsx'
import { Glance } from '../../domain/directory/glance.tsx'
import { HeldSubscriptions } from '../../domain/directory/held-subscriptions.tsx'
import type { RevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { distlistLabels } from './distlist-kind.ts'
import type { DistlistValues } from './use-distlist-form.ts'

export interface GeneralTabProps {
  list: GroupDetail
  edit: RevisedForm<DistlistValues>
}

/** Name, address and members of a list, and what it costs. */
export function GeneralTab({ list, edit }: GeneralTabProps) {
  const t = useT()
  const { form } = edit
  const skus = useQuery(apiQuery('GET /api/v4/groups/{id}/skus', { params: { id: String(list.id) } }))
  const isLocked = !list.canUpdate
  return (
    <div className="columns">
      <EditFrame edit={edit} labels={distlistLabels} label={t('directory.general')}>
        <FormSection title={t('directory.nameSection')} hint={t('directory.fixedAddress')}>
          <TextField
            {...form.field('name')}
            label={t('directory.name')}
            required
            disabled={isLocked}
            autoComplete="off"
            maxLength={191}
          />
          <TextField
            id="email"
            name="email"
            label={t('directory.email')}
            value={displayAddress(list.email)}
            onValue={() => {}}
            disabled
          />
        </FormSection>
        <FormSection title={t('distlists.members')} hint={t('distlists.membersHint')}>
          <AddressList
            {...form.list('members')}
            label={t('distlists.members')}
            hint={t('distlists.pasteHint')}
            placeholder={t('distlists.memberExample', {
              domain: displayDomain(list.email.split('@')[1] ?? ''),
            })}
            disabled={isLocked}
            suggest
          />
        </FormSection>
        <HeldSubscriptions held={list.skus} wallet={list.wallet} query={skus} />
      </EditFrame>
      <aside className="stack" aria-label={t('directory.facts')}>
        <Glance
          object={list}
          more={[{ label: t('distlists.members'), value: number(list.members.length) }]}
        />
      </aside>
    </div>
  )
}
