import { displayAddress } from '@gatehouse/contract/canonical-address'
import { kinds } from '@gatehouse/contract/directory/kinds'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { useRecentObject } from '../search/use-recent-object.ts'
import { DeleteButton } from './delete-button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { useEditForm } from './edit-frame.tsx'
import { GeneralTab, type GeneralTabProps } from './general-tab.tsx'
import { listOf, looks } from './kind.ts'
import { loadStatus, objectQuery, withStatus } from './kind-calls.ts'
import type { FieldLabels } from './labels.ts'
import { type GuardedForm, ObjectTabs } from './object-tabs.tsx'
import './directory.css'

export interface ObjectScreenProps<V extends object> extends Omit<GeneralTabProps<V>, 'hint'> {
  labels: FieldLabels
  /** Shown after the address, below the name. */
  facts?: readonly string[]
  hint?: string
  /** The settings form and its tab; if absent, settings are in the General tab. */
  settings?: { form: GuardedForm; tab: () => ReactNode }
  /** Shown next to the form in the General tab. */
  dialog?: ReactNode
  /** What is lost by a deletion, besides the address. */
  loss: string
}

/** An object with everything the reader may see and do. */
export function ObjectScreen<V extends object>(props: ObjectScreenProps<V>) {
  const { facts = [], settings, dialog, loss, labels, ...general } = props
  const { kind, object, edit } = props
  const t = useT()
  useEditForm(edit, labels)
  useRecentObject(kinds[kind].name, { id: object.id, title: object.name, detail: object.email })
  return (
    <>
      <PageHead
        title={object.name}
        status={<StatusChip of={object} />}
        facts={[displayAddress(object.email), ...facts].join(' · ')}
        trail={[{ label: t(looks[kind].title), to: listOf(kind) }]}
        actions={
          object.canDelete && (
            <DeleteButton label={t('words.delete')}>
              {(onClose) => <DeleteDialog kind={kind} object={object} loss={loss} onClose={onClose} />}
            </DeleteButton>
          )
        }
      />
      <Setup kind={kind} object={object} />
      <ObjectTabs
        objectType={kind}
        object={object}
        forms={[edit.form, ...(settings ? [settings.form] : [])]}
        tabs={[
          {
            name: 'general',
            label: t('words.general'),
            content: () => (
              <>
                <GeneralTab hint={t('directory.fixedAddress')} {...general} />
                {dialog}
              </>
            ),
          },
          object.canConfigure &&
            settings !== undefined && {
              name: 'settings',
              label: t('directory.settings'),
              content: settings.tab,
            },
        ]}
      />
    </>
  )
}

function Setup({ kind, object }: Pick<ObjectScreenProps<object>, 'kind' | 'object'>) {
  const client = useQueryClient()
  const load = loadStatus(kind, object.id)
  return (
    <StatusBox
      key={object.id}
      kind={kinds[kind].name}
      process={object.statusInfo}
      load={load}
      onAnswer={(answer) =>
        client.setQueryData<typeof object>(
          objectQuery(kind, object.id).queryKey,
          (old) => old && withStatus(old, answer),
        )
      }
    />
  )
}
