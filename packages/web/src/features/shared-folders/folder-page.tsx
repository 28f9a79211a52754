import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { useDeletedAddress } from '../../domain/deleted-address/use-deleted-address.ts'
import { typeIcons, typeLabels } from '../../domain/directory/folder-types.ts'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { ObjectPage } from '../../domain/directory/object-page.tsx'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { sentText, useObjectForm } from '../../domain/directory/use-object-forms.ts'
import { useT } from '../../i18n/i18n.ts'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { usePanelForm } from '../../ui/form/save-panel.tsx'
import type { ListPart } from '../../ui/form/use-form.ts'
import { NewFolder } from './new-folder.tsx'
import { SettingsTab, useAccessForm } from './settings-tab.tsx'

/** Labels of a folder's fields, in form order. */
const labels: FieldLabels = {
  name: 'words.name',
  type: 'words.type',
  email: 'words.address',
  aliases: 'words.aliases',
  acl: 'words.access',
}

/** Page of a shared folder, or of a new one. */
export function FolderPage() {
  return (
    <ObjectPage
      kind="shared-folder"
      form={(domains) => <NewFolder domains={domains} />}
      screen={(folder) => <FolderScreen folder={folder} />}
    />
  )
}

/** A shared folder: name and aliases, access rights, activity. */
function FolderScreen({ folder }: { folder: FolderDetail }) {
  const t = useT()
  const offer = useDeletedAddress()
  const access = useAccessForm(folder)
  usePanelForm(access, t('words.access'), 'settings')
  const edit = useObjectForm('shared-folder', folder, {
    valuesOf: ({ name, aliases }) => ({ name, aliases: aliases.map(displayAddress) }),
    bodyOf: ({ name, aliases }) => ({ name: sentText(name), aliases }),
    guard: ({ aliases = [] }, send) => offer.guarded({ aliases }, send),
  })
  const type = t(typeLabels[folder.type])
  return (
    <ObjectScreen
      kind="shared-folder"
      object={folder}
      edit={edit}
      name={edit.form.field('name')}
      labels={labels}
      facts={[type]}
      hint={t('folders.fixed')}
      loss={t('folders.deleteGoes')}
      settings={{ form: access, tab: () => <SettingsTab form={access} /> }}
      besideName={
        <TextField
          id="type"
          name="type"
          label={t('words.type')}
          icon={typeIcons[folder.type]}
          value={type}
          onValue={() => {}}
          disabled
        />
      }
      sections={folder.type === 'mail' && <Aliases folder={folder} part={edit.form.list('aliases')} />}
      dialog={<DeletedAddressDialog offer={offer} adding onReleased={() => edit.form.submit()} />}
    />
  )
}

/** Aliases, for mail folders only. */
function Aliases({ folder, part }: { folder: FolderDetail; part: ListPart }) {
  const t = useT()
  return (
    <FormSection title={t('words.aliases')} hint={t('folders.aliasesHint')}>
      <ListInput
        {...part}
        label={t('words.aliases')}
        placeholder={t('words.aliasExample', {
          domain: displayDomain(folder.email.split('@')[1] ?? ''),
        })}
        disabled={!folder.canUpdate}
      />
    </FormSection>
  )
}
