import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useState } from 'react'
import { day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { CommentDialog } from './comment-dialog.tsx'

/** Kinds of objects that can be restored, by API path. */
type Restorable = 'users' | 'domains' | 'groups' | 'resources' | 'shared-folders'

export interface RestorationProps {
  kind: Restorable
  id: number
  name: string
  deletedAt: string | null
  /** Deadline for restoring it. */
  until: string | null
  canRestore: boolean
  /** What is restored along with it. */
  effects: readonly string[]
}

/** Deletion notice with a button to restore the object while that is possible. */
export function Restoration({ kind, id, name, deletedAt, until, canRestore, effects }: RestorationProps) {
  const t = useT()
  const act = useActWith(everything)
  const [open, setOpen] = useState(false)
  if (deletedAt === null) return null
  return (
    <div className="cockpit-note">
      <Note
        tone="warning"
        title={t('customer.deletedOn', { date: day(deletedAt) })}
        actions={
          canRestore && (
            <Button size="small" icon={IconArrowBackUp} onPress={() => setOpen(true)}>
              {t('customer.restore')}
            </Button>
          )
        }
      >
        {canRestore && until
          ? t('customer.restorableUntil', { date: day(until) })
          : t('customer.notRestorable')}
      </Note>
      {open && (
        <CommentDialog
          title={t('customer.restoreTitle', { name })}
          effects={effects}
          verb={t('words.restore')}
          onClose={() => setOpen(false)}
          send={(comment) =>
            act(() =>
              call(`POST /api/v4/${kind}/{id}/restore @staff`, {
                params: { id: String(id) },
                body: { comment },
              }),
            )
          }
        />
      )}
    </div>
  )
}
