import type { RoomConfigInput } from '@gatehouse/contract/meetings/rooms'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Checkbox, type CheckboxProps } from '../../../ui/fields/checkbox.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { useRoom } from './meeting-context.ts'

/** Password, lock and speaking permissions; changes apply immediately for everyone. */
export function OptionsDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useT()
  const { options } = useRoom()
  const { query, save } = useConfig(name)
  const password = query.data?.config.password ?? ''
  return (
    <Dialog open title={t('meeting.options')} onClose={onClose}>
      {query.data && <Password password={password} onSave={(next) => save({ password: next })} />}
      {!query.data && (query.isError ? <LoadFailed onRetry={query.refetch} /> : <SkeletonRows count={1} />)}
      <Switch
        id="room-locked"
        label={t('words.lockedRoom')}
        hint={t('meeting.lockedHint')}
        value={options.locked}
        onSave={(locked) => save({ locked })}
      />
      <Switch
        id="room-nomedia"
        label={t('words.guestsOnlyWatch')}
        hint={t('meeting.nomediaHint')}
        value={options.nomedia}
        onSave={(nomedia) => save({ nomedia })}
      />
    </Dialog>
  )
}

interface SwitchProps extends Pick<CheckboxProps, 'id' | 'label' | 'hint'> {
  /** Value according to the meeting. */
  value: boolean
  onSave: (value: boolean) => Promise<boolean>
}

/** Optimistic checkbox: updates from the meeting and failed saves override it. */
function Switch({ value, onSave, ...looks }: SwitchProps) {
  const [told, setTold] = useState(value)
  const [wished, setWished] = useState<boolean>()
  if (told !== value) {
    setTold(value)
    setWished(undefined)
  }
  const change = async (next: boolean) => {
    setWished(next)
    if (!(await onSave(next))) setWished(undefined)
  }
  return <Checkbox {...looks} checked={wished ?? value} onChecked={(next) => void change(next)} />
}

function useConfig(name: string) {
  const client = useQueryClient()
  const query = useApi('GET /api/v4/rooms/{id}', { params: { id: name } })
  const send = useAct('POST /api/v4/rooms/{id}/config')
  /** Saves one key at a time; the meeting sends the result. */
  const save = async (change: RoomConfigInput): Promise<boolean> => {
    try {
      await send({ params: { id: name }, body: change })
      await query.refetch()
      void client.invalidateQueries({ queryKey: ['GET /api/v4/rooms'] })
      return true
    } catch {
      // reported in a toast; the checkbox reverts to the meeting's value
      return false
    }
  }
  return { query, save }
}

interface PasswordProps {
  password: string
  onSave: (password: string | null) => Promise<boolean>
}

/** Shows whether a password is set, with inline editing. Enter saves, Esc cancels. */
function Password({ password, onSave }: PasswordProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState(password)
  const [isSaving, setSaving] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // the focused element was unmounted, and the dialog handles keys only while the focus is inside
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const open = () => {
    setTyped(password)
    setOpen(true)
  }
  const remove = async () => {
    if (await onSave(null)) opener.current?.focus()
  }
  if (!isOpen) {
    return (
      <div className="field">
        <span className="field-label medium">{t('words.password')}</span>
        <div className="row wrap">
          <span className="spacer">{t(password ? 'meeting.passwordSet' : 'meeting.passwordNone')}</span>
          <Button ref={opener} size="small" onPress={open}>
            {t(password ? 'meeting.passwordChange' : 'meeting.passwordAdd')}
          </Button>
          {password && (
            <Button size="small" variant="danger-outline" onPress={remove}>
              {t('words.remove')}
            </Button>
          )}
        </div>
      </div>
    )
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    setSaving(true)
    if (await onSave(typed.trim() || null)) setOpen(false)
    setSaving(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setOpen(false)
  }
  return (
    <form className="stage-password" onSubmit={submit} onKeyDown={onKeyDown}>
      <PasswordField
        id="room-password"
        name="password"
        label={t('words.password')}
        hint={t('meeting.passwordHint')}
        value={typed}
        onValue={setTyped}
        autoComplete="off"
        autoFocus
        maxLength={191}
      />
      <Button type="submit" variant="primary" busy={isSaving}>
        {t('dialog.save')}
      </Button>
    </form>
  )
}
