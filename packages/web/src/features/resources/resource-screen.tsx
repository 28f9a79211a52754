import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import { useQueryClient } from '@tanstack/react-query'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { GeneralTab } from './general-tab.tsx'
import { resourceKind, resourceQuery, withStatus } from './resource-kind.ts'
import { SettingsTab, usePolicyForm } from './settings-tab.tsx'
import { useResourceForm } from './use-resource-form.ts'

/** One resource: its name, how it answers invitations, what happened. */
export function ResourceScreen({ resource }: { resource: ResourceDetail }) {
  const t = useT()
  const client = useQueryClient()
  const edit = useResourceForm(resource)
  const policy = usePolicyForm(resource)
  return (
    <ObjectScreen
      kind={resourceKind}
      object={resource}
      loss={t('resources.deleteGoes')}
      forms={[edit.form, policy]}
      tabs={[
        {
          name: 'general',
          label: t('directory.general'),
          content: () => <GeneralTab resource={resource} edit={edit} />,
        },
        resource.canConfigure && {
          name: 'settings',
          label: t('directory.settings'),
          content: () => <SettingsTab form={policy} />,
        },
      ]}
      loadStatus={({ refresh, signal }) =>
        call('GET /api/v4/resources/{id}/status', {
          params: { id: String(resource.id) },
          query: refresh ? { refresh: '1' } : undefined,
          signal,
          ignoreErrors: !refresh,
        })
      }
      onStatus={(answer) =>
        client.setQueryData<ResourceDetail>(
          resourceQuery(resource.id).queryKey,
          (old) => old && withStatus(old, answer),
        )
      }
    />
  )
}
