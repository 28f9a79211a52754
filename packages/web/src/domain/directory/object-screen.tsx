import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import type { SetupAnswer } from '../../ui/status-box/setup-process.ts'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { ObjectHistory } from '../events/history-list.tsx'
import { type Deletable, DeleteDialog } from './delete-dialog.tsx'
import type { DirectoryObject, Kind } from './kind.ts'
import './directory.css'

interface GuardedForm {
  dirty: boolean
  busy: boolean
}

export interface ObjectScreenProps<A extends SetupAnswer> {
  kind: Kind
  object: DirectoryObject & Deletable
  /** After the address, in the line below the name. */
  facts?: readonly string[]
  /** The tabs of the kind; the record of changes comes after them. */
  tabs: readonly (Tab | false)[]
  /** All forms of the page. */
  forms: readonly GuardedForm[]
  /** What a deletion takes away, besides the address. */
  loss: string
  loadStatus: (options: { refresh: boolean; signal: AbortSignal }) => Promise<A>
  onStatus: (answer: A) => void
}

/** An object with everything that the reader may see and do. */
export function ObjectScreen<A extends SetupAnswer>(props: ObjectScreenProps<A>) {
  const { kind, object, facts = [], tabs, forms, loss, loadStatus, onStatus } = props
  const t = useT()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const all: (Tab | false)[] = [
    ...tabs,
    object.canReadEvents && {
      name: 'history',
      label: t('directory.history'),
      content: () => <ObjectHistory objectType={kind.objectType} id={object.id} />,
    },
  ]
  return (
    <>
      <UnsavedGuard
        form={{ dirty: forms.some(({ dirty }) => dirty), busy: forms.some(({ busy }) => busy) }}
        within={path}
      />
      <PageHead
        title={object.name}
        status={<StatusChip of={object} />}
        facts={[displayAddress(object.email), ...facts].join(' · ')}
        trail={[{ label: t(kind.title), to: kind.list }]}
        actions={object.canDelete && <DeleteButton kind={kind} object={object} loss={loss} />}
      />
      <StatusBox
        key={object.id}
        kind={kind.name}
        process={object.statusInfo}
        load={loadStatus}
        onAnswer={onStatus}
      />
      <Tabs label={t('directory.parts')} tabs={all.filter((tab) => tab !== false)} outside />
    </>
  )
}

function DeleteButton(props: { kind: Kind; object: DirectoryObject & Deletable; loss: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger-outline" icon={IconTrash} onPress={() => setOpen(true)}>
        {t('directory.delete')}
      </Button>
      {open && <DeleteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
