import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import { useQueryClient } from '@tanstack/react-query'
import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { typeLabels } from '../../domain/directory/folder-types.ts'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { folderKind, folderQuery, withStatus } from './folder-kind.ts'
import { GeneralTab } from './general-tab.tsx'
import { SettingsTab, useAccessForm } from './settings-tab.tsx'
import { useFolderForm } from './use-folder-form.ts'

/** One shared folder: its name and aliases, who may see and change what is in it, what happened. */
export function FolderScreen({ folder }: { folder: FolderDetail }) {
  const t = useT()
  const client = useQueryClient()
  const edit = useFolderForm(folder)
  const access = useAccessForm(folder)
  return (
    <ObjectScreen
      kind={folderKind}
      object={folder}
      facts={[t(typeLabels[folder.type])]}
      loss={t('folders.deleteGoes')}
      forms={[edit.form, access]}
      tabs={[
        {
          name: 'general',
          label: t('directory.general'),
          content: () => (
            <>
              <GeneralTab folder={folder} edit={edit} />
              <DeletedAddressDialog offer={edit.offer} adding onReleased={() => edit.form.submit()} />
            </>
          ),
        },
        folder.canConfigure && {
          name: 'settings',
          label: t('directory.settings'),
          content: () => <SettingsTab form={access} />,
        },
      ]}
      loadStatus={({ refresh, signal }) =>
        call('GET /api/v4/shared-folders/{id}/status', {
          params: { id: String(folder.id) },
          query: refresh ? { refresh: '1' } : undefined,
          signal,
          ignoreErrors: !refresh,
        })
      }
      onStatus={(answer) =>
        client.setQueryData<FolderDetail>(
          folderQuery(folder.id).queryKey,
          (old) => old && withStatus(old, answer),
        )
      }
    />
  )
}
