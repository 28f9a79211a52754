import type { FolderDetail, FolderRight, folderRights } from '@gatehouse/contract/directory/folders'
import { AclInput } from '../../domain/acl-input/acl-input.tsx'
import { useConfigForm } from '../../domain/directory/use-object-forms.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'

interface AccessValues {
  acl: string[]
}

// Importing the contract's array would pull its validator into the bundle.
const rights = ['read-only', 'read-write', 'full'] as const satisfies typeof folderRights

const rightLabels: Record<FolderRight, MessageKey> = {
  'read-only': 'acl.readOnly',
  'read-write': 'acl.readWrite',
  full: 'acl.full',
}

/** Form for access to a folder. */
export function useAccessForm(folder: FolderDetail): Form<AccessValues> {
  return useConfigForm('shared-folder', folder, {
    valuesOf: ({ acl }) => ({ acl }),
    bodyOf: (values) => ({ ...values }),
  })
}

/** The Settings tab of a folder. */
export function SettingsTab({ form }: { form: Form<AccessValues> }) {
  const t = useT()
  const [first, ...others] = rights
  const choice = (right: FolderRight) => ({ value: right, label: t(rightLabels[right]) })
  return (
    <SavePanel
      form={form}
      title={t('words.access')}
      note={form.values.acl.length === 0 ? t('folders.nobody') : undefined}
    >
      <FormSection title={t('folders.rights')} hint={t('folders.rightsHint')}>
        <AclInput
          {...form.list('acl')}
          label={t('words.access')}
          rights={[choice(first), ...others.map(choice)]}
          placeholder={t('words.personExample')}
          hint={t('folders.rightsHelp')}
        />
      </FormSection>
    </SavePanel>
  )
}
