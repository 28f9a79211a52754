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
  /** Shown at the end of the title row. */
  aside?: ReactNode
  /** Footer that explains the effect of saving. */
  note?: ReactNode
  /** `FormSection`s. */
  children: ReactNode
}

/** A panel with a form saved by the page's bar. The owner of the form registers it with `usePanelForm`. */
export function SavePanel<V>({ form, title, aside, note, children }: SavePanelProps<V>) {
  return (
    <SaveForm form={form} className="form-panel">
      <Panel flush title={title} actions={aside} footer={note && <p>{note}</p>}>
        <div>{children}</div>
      </Panel>
    </SaveForm>
  )
}

/** Registers a panel's form with the page's save bar under its title. `tab` is the tab that contains the panel. */
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
