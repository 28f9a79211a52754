import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { useQueryClient } from '@tanstack/react-query'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { distlistKind, distlistQuery, withStatus } from './distlist-kind.ts'
import { GeneralTab } from './general-tab.tsx'
import { SettingsTab, useSenderForm } from './settings-tab.tsx'
import { useDistlistForm } from './use-distlist-form.ts'

/** One distribution list: name and members, who may write to it, what happened. */
export function DistlistScreen({ list }: { list: GroupDetail }) {
  const t = useT()
  const client = useQueryClient()
  const edit = useDistlistForm(list)
  const senders = useSenderForm(list)
  const count = { count: list.members.length, number: number(list.members.length) }
  return (
    <ObjectScreen
      kind={distlistKind}
      object={list}
      facts={[t('distlists.memberCount', count)]}
      loss={t('distlists.deleteGoes', count)}
      forms={[edit.form, senders]}
      tabs={[
        {
          name: 'general',
          label: t('directory.general'),
          content: () => <GeneralTab list={list} edit={edit} />,
        },
        list.canConfigure && {
          name: 'settings',
          label: t('directory.settings'),
          content: () => <SettingsTab form={senders} />,
        },
      ]}
      loadStatus={({ refresh, signal }) =>
        call('GET /api/v4/groups/{id}/status', {
          params: { id: String(list.id) },
          query: refresh ? { refresh: '1' } : undefined,
          signal,
          ignoreErrors: !refresh,
        })
      }
      onStatus={(answer) =>
        client.setQueryData<GroupDetail>(
          distlistQuery(list.id).queryKey,
          (old) => old && withStatus(old, answer),
        )
      }
    />
  )
}
