import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { type ActedItem, forgetFiles, isGone } from '../calls.ts'
import { faultText } from '../fault-text.ts'
import { longestName, nameFault, splitName } from '../names.ts'

/** Renames an item. */
export function RenameDialog({ item, onClose }: { item: ActedItem; onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const form = useForm<{ name: string }>({
    initial: { name: item.name },
    prefix: 'rename_',
    submit: async ({ name }) => {
      const fault = nameFault(name)
      if (fault) {
        form.setErrors({ name: faultText(t, fault) })
        return
      }
      try {
        const answer = await call('PUT /api/v4/fs/{id}', { params: { id: item.id }, body: { name } })
        toasts.success('message' in answer ? answer.message : '')
      } catch (error) {
        // a toast reported that the item is gone, so there is nothing left to rename
        if (!isGone(error)) throw error
      }
      await forgetFiles(client)
      onClose()
    },
  })
  // preselects everything but the extension
  useEffect(() => {
    const { stem } = item.type === 'file' ? splitName(item.name) : { stem: item.name }
    field.current?.focus()
    field.current?.setSelectionRange(0, stem.length)
  }, [item])
  return (
    <Dialog
      open
      title={t('words.renameOne', { name: item.name })}
      onClose={onClose}
      actions={[{ preset: 'save', label: t('files.rename'), busy: form.busy, busyLabel: t('words.saving') }]}
    >
      <form {...form.props}>
        <TextField
          {...form.field('name')}
          label={t('words.name')}
          required
          maxLength={longestName}
          autoComplete="off"
          spellCheck={false}
          inputRef={field}
        />
      </form>
    </Dialog>
  )
}
