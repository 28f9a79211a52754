import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { Panel } from '../page/panel.tsx'
import type { Form } from './use-form.ts'
import './form-panel.css'

export interface FormPanelProps<V> {
  form: Form<V>
  title: ReactNode
  /** At the end of the title's line. */
  aside?: ReactNode
  /** Beside the buttons while nothing is changed: what saving means. */
  note?: ReactNode
  /** Of the button that sends; absent: “Save”. */
  submitLabel?: string
  /** `FormSection`s. */
  children: ReactNode
}

/** A form on a sheet of its own: it is saved by itself and stays on the page. */
export function FormPanel<V>({ form, title, aside, note, submitLabel, children }: FormPanelProps<V>) {
  const t = useT()
  const changed = form.dirty && !form.busy
  const [typed, setTyped] = useTyped(form.props.ref)
  return (
    <form {...form.props} className="form-panel" onInput={() => setTyped(true)}>
      <Panel
        flush
        title={title}
        actions={aside}
        footer={
          <>
            <p className={changed ? 'form-panel-changed' : undefined} role="status">
              {changed ? t('form.unsaved') : note}
            </p>
            {changed && (
              <Button variant="quiet" onPress={() => form.reset()}>
                {t('form.discard')}
              </Button>
            )}
            <Button
              type="submit"
              variant="primary"
              busy={form.busy}
              busyLabel={t('words.saving')}
              disabled={!form.dirty && !form.busy && !typed}
            >
              {submitLabel ?? t('dialog.save')}
            </Button>
          </>
        }
      >
        <div>{children}</div>
      </Panel>
    </form>
  )
}

/** Whether somebody has typed since the last save: an entry that is still to be added to a list is no value yet. */
function useTyped(form: RefObject<HTMLFormElement | null>) {
  const [typed, setTyped] = useState(false)
  useEffect(() => {
    const element = form.current
    const forget = () => setTyped(false)
    element?.addEventListener('reset', forget)
    return () => element?.removeEventListener('reset', forget)
  }, [form])
  return [typed, setTyped] as const
}
