import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { Panel } from '../page/panel.tsx'
import type { Form } from './use-form.ts'
import './form-panel.css'

export interface FormPanelProps<V> {
  form: Form<V>
  title: ReactNode
  /** Beside the button: what sending means. */
  note?: ReactNode
  /** Of the button that sends, such as “Create plan”. */
  submitLabel: string
  busyLabel?: string
  /** `FormSection`s. */
  children: ReactNode
}

/** A form on a sheet of its own that makes something new. What there is already is saved by the bar of its page. */
export function FormPanel<V>({ form, title, note, submitLabel, busyLabel, children }: FormPanelProps<V>) {
  const t = useT()
  return (
    <form {...form.props} className="form-panel">
      <Panel
        flush
        title={title}
        footer={
          <>
            <p>{note}</p>
            <Button
              type="submit"
              variant="primary"
              busy={form.busy}
              busyLabel={busyLabel ?? t('words.creating')}
            >
              {submitLabel}
            </Button>
          </>
        }
      >
        <div>{children}</div>
      </Panel>
    </form>
  )
}
