import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import { useQuery } from '@tanstack/react-query'
import { EditFrame } from '../../domain/directory/edit-frame.tsx'
import { typeIcons, typeLabels } from '../../domain/directory/folder-types.ts'
import { Glance } from '../../domain/directory/glance.tsx'
import { HeldSubscriptions } from '../../domain/directory/held-subscriptions.tsx'
import type { RevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { folderLabels } from './folder-kind.ts'
import type { FolderValues } from './use-folder-form.ts'

export interface GeneralTabProps {
  folder: FolderDetail
  edit: RevisedForm<FolderValues>
}

/** Name, address and aliases of a folder, and what it costs. */
export function GeneralTab({ folder, edit }: GeneralTabProps) {
  const t = useT()
  const { form } = edit
  const params = { id: String(folder.id) }
  const skus = useQuery(apiQuery('GET /api/v4/shared-folders/{id}/skus', { params }))
  return (
    <div className="columns">
      <EditFrame edit={edit} labels={folderLabels} label={t('directory.general')}>
        <FormSection title={t('directory.nameSection')} hint={t('folders.fixed')}>
          <TextField
            {...form.field('name')}
            label={t('directory.name')}
            required
            disabled={!folder.canUpdate}
            autoComplete="off"
            maxLength={191}
          />
          <TextField
            id="type"
            name="type"
            label={t('folders.type')}
            icon={typeIcons[folder.type]}
            value={t(typeLabels[folder.type])}
            onValue={() => {}}
            disabled
          />
          <TextField
            id="email"
            name="email"
            label={t('directory.email')}
            value={displayAddress(folder.email)}
            onValue={() => {}}
            disabled
          />
        </FormSection>
        {folder.type === 'mail' && (
          <FormSection title={t('folders.aliases')} hint={t('folders.aliasesHint')}>
            <ListInput
              {...form.list('aliases')}
              label={t('folders.aliases')}
              placeholder={t('folders.aliasExample', {
                domain: displayDomain(folder.email.split('@')[1] ?? ''),
              })}
              disabled={!folder.canUpdate}
            />
          </FormSection>
        )}
        <HeldSubscriptions held={folder.skus} wallet={folder.wallet} query={skus} />
      </EditFrame>
      <aside className="stack" aria-label={t('directory.facts')}>
        <Glance object={folder} />
      </aside>
    </div>
  )
}
