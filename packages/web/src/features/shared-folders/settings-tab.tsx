import type { FolderDetail, FolderRight, folderRights } from '@gatehouse/contract/directory/folders'
import { useQueryClient } from '@tanstack/react-query'
import { AclInput } from '../../domain/acl-input/acl-input.tsx'
import { forgetKind } from '../../domain/directory/kind.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { folderKind, folderQuery } from './folder-kind.ts'

interface AccessValues {
  acl: string[]
}

// The contract's own array would bring its validator into the browser.
const rights = ['read-only', 'read-write', 'full'] as const satisfies typeof folderRights

const rightLabels: Record<FolderRight, MessageKey> = {
  'read-only': 'acl.readOnly',
  'read-write': 'acl.readWrite',
  full: 'acl.full',
}

/** Who may see and change what is in a folder. */
export function useAccessForm(folder: FolderDetail): Form<AccessValues> {
  const client = useQueryClient()
  const save = useAct('POST /api/v4/shared-folders/{id}/config')
  const form: Form<AccessValues> = useForm<AccessValues>({
    initial: { acl: folder.config.acl },
    submit: async ({ acl }) => {
      const params = { id: String(folder.id) }
      await save({ params, body: { acl } })
      const { config } = await client.fetchQuery({ ...folderQuery(folder.id), staleTime: 0 })
      form.reset({ acl: config.acl })
      forgetKind(client, folderKind)
    },
  })
  return form
}

/** The Settings tab of a folder. */
export function SettingsTab({ form }: { form: Form<AccessValues> }) {
  const t = useT()
  const [first, ...others] = rights
  const choice = (right: FolderRight) => ({ value: right, label: t(rightLabels[right]) })
  return (
    <FormPanel
      form={form}
      title={t('folders.access')}
      note={form.values.acl.length === 0 ? t('folders.nobody') : undefined}
    >
      <FormSection title={t('folders.rights')} hint={t('folders.rightsHint')}>
        <AclInput
          {...form.list('acl')}
          label={t('folders.access')}
          rights={[choice(first), ...others.map(choice)]}
          placeholder={t('folders.personExample')}
          hint={t('folders.rightsHelp')}
        />
      </FormSection>
    </FormPanel>
  )
}
