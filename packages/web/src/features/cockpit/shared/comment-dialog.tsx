import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import type { Glyph } from '../../../ui/icon.tsx'

/** Maximum length of a comment; must match the contract. */
const longest = 1024

export interface CommentDialogProps {
  /** The question, which names the object. */
  title: string
  /** Consequences, one line each. */
  effects: readonly string[]
  /** Label of the confirm button. */
  verb: string
  /** The action is destructive. */
  isDanger?: boolean
  /** Icon of the button, instead of a tick or a bin. */
  icon?: Glyph
  /** Why it can't be done yet; undefined: it can. */
  missing?: string | undefined
  /** Fields above the comment. */
  children?: ReactNode
  send: (comment: string | null) => Promise<unknown>
  onClose: () => void
}

/** Confirms a staff action and asks for a comment, which is kept in the activity. */
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
