import type { Kind } from '@gatehouse/contract/directory/kinds'
import { useT } from '../../i18n/i18n.ts'
import { useLocation } from '../../router/router-context.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { ObjectHistory } from '../events/history-list.tsx'

/** A form with unsaved-changes protection. */
export interface GuardedForm {
  dirty: boolean
  busy: boolean
}

export interface ObjectTabsProps {
  objectType: Kind
  object: { id: number; canReadEvents: boolean }
  /** All forms of the page. */
  forms: readonly GuardedForm[]
  /** The kind's tabs; the activity tab follows. */
  tabs: readonly (Tab | false)[]
}

/** The tabs of an object's page. Input in one is kept while another is open. */
export function ObjectTabs({ objectType, object, forms, tabs }: ObjectTabsProps) {
  const t = useT()
  const path = useLocation().pathname
  const all: (Tab | false)[] = [
    ...tabs,
    object.canReadEvents && {
      name: 'history',
      label: t('words.history'),
      content: () => <ObjectHistory objectType={objectType} id={object.id} />,
    },
  ]
  return (
    <>
      <UnsavedGuard
        form={{ dirty: forms.some(({ dirty }) => dirty), busy: forms.some(({ busy }) => busy) }}
        within={path}
      />
      <Tabs label={t('directory.parts')} tabs={all.filter((tab) => tab !== false)} outside />
    </>
  )
}
