import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import type { Glyph } from '../../../ui/icon.tsx'

/** As long as a comment may be; the contract says so too. */
const longest = 1024

export interface CommentDialogProps {
  /** The question, which names the object. */
  title: string
  /** What it means, a line each. */
  effects: readonly string[]
  /** The button that does it. */
  verb: string
  /** It takes something away. */
  isDanger?: boolean
  /** Mark of the button, instead of a tick or a bin. */
  icon?: Glyph
  /** Why it can't be done yet; undefined: it can. */
  missing?: string | undefined
  /** Fields before the comment. */
  children?: ReactNode
  send: (comment: string | null) => Promise<unknown>
  onClose: () => void
}

/** Asks before an act of staff, and for a comment that stays in the record. */
export function CommentDialog(props: CommentDialogProps) {
  const { title, effects, verb, isDanger = false, icon, missing, children, send, onClose } = props
  const t = useT()
  const form = useForm({
    initial: { comment: '' },
    prefix: 'act-',
    submit: async ({ comment }) => {
      await send(comment.trim() || null)
      onClose()
    },
  })
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={onClose}
      cancelFocus={isDanger && !children}
      preset={isDanger ? 'delete' : 'submit'}
      submitLabel={verb}
      icon={icon}
      busyLabel={t('cockpit.working')}
      disabled={missing !== undefined}
      footnote={missing}
    >
      {effects.length > 0 && (
        <ul className="dialog-effects">
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      )}
      {children}
      <TextArea
        {...form.field('comment')}
        label={t('cockpit.comment')}
        hint={t('cockpit.commentHint')}
        optional
        rows={3}
        maxLength={longest}
      />
    </FormDialog>
  )
}
