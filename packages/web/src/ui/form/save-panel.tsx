import type { ReactNode } from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Panel } from '../page/panel.tsx'
import { useShowTab } from '../page/use-show-tab.ts'
import { SaveForm, usePageForm } from './save-scope.tsx'
import type { Form } from './use-form.ts'
import './form-panel.css'

export interface SavePanelProps<V> {
  form: Form<V>
  title: ReactNode
  /** At the end of the title's line. */
  aside?: ReactNode
  /** At the foot: what saving means. */
  note?: ReactNode
  /** `FormSection`s. */
  children: ReactNode
}

/** A form on a sheet of its own that the bar of its page saves. Who owns the form registers it by `usePanelForm`. */
export function SavePanel<V>({ form, title, aside, note, children }: SavePanelProps<V>) {
  return (
    <SaveForm form={form} className="form-panel">
      <Panel flush title={title} actions={aside} footer={note && <p>{note}</p>}>
        <div>{children}</div>
      </Panel>
    </SaveForm>
  )
}

/** Has the form of a panel saved by the bar of its page, which names it by its title. `tab`: where the panel is. */
export function usePanelForm<V>(form: Form<V>, title: string, tab?: string): void {
  const t = useT()
  const showTab = useShowTab()
  const count = form.changed.length
  usePageForm({
    form,
    count,
    changes: [count > 1 ? t('words.changesIn', { field: title, count: number(count) }) : title],
    reveal: () => showTab(tab),
  })
}
