import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { ObjectHistory } from '../../domain/events/history-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { DeleteRoom } from './delete-room.tsx'
import { GeneralTab } from './general-tab.tsx'
import { CopyLink, EnterLink } from './room-links.tsx'
import { RoomState } from './room-state.tsx'
import { SettingsTab, useSettingsForm } from './settings-tab.tsx'
import { useRoomForm } from './use-room-form.ts'

/** One room: what it is for, who gets in and how, what happened. */
export function RoomScreen({ room }: { room: RoomDetail }) {
  const t = useT()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [deleting, setDeleting] = useState(false)
  const edit = useRoomForm(room)
  const settings = useSettingsForm(room)
  const forms = [edit.form, settings]
  const tabs: (Tab | false)[] = [
    room.isOwner && {
      name: 'general',
      label: t('rooms.general'),
      content: () => <GeneralTab room={room} edit={edit} />,
    },
    room.canConfigure && {
      name: 'settings',
      label: t('rooms.settings'),
      content: () => <SettingsTab room={room} form={settings} />,
    },
    room.canReadEvents && {
      name: 'history',
      label: t('rooms.history'),
      content: () => <ObjectHistory objectType="room" id={room.id} />,
    },
  ]
  return (
    <>
      <UnsavedGuard
        form={{ dirty: forms.some(({ dirty }) => dirty), busy: forms.some(({ busy }) => busy) }}
        within={path}
      />
      <PageHead
        title={room.name}
        status={<RoomState room={room} />}
        facts={room.description ?? t('rooms.noDescription')}
        trail={[{ label: t('section.rooms'), to: '/rooms' }]}
        actions={
          <>
            {room.canDelete && (
              <Button variant="danger-outline" icon={IconTrash} onPress={() => setDeleting(true)}>
                {t('rooms.delete')}
              </Button>
            )}
            <CopyLink name={room.name} />
            <EnterLink name={room.name} primary />
          </>
        }
      />
      <Tabs label={t('rooms.parts')} tabs={tabs.filter((tab) => tab !== false)} outside />
      {deleting && <DeleteRoom room={room} onClose={() => setDeleting(false)} />}
    </>
  )
}
