import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { DeleteButton } from '../../domain/directory/delete-button.tsx'
import { useEditForm } from '../../domain/directory/edit-frame.tsx'
import { ObjectTabs } from '../../domain/directory/object-tabs.tsx'
import { useRecentObject } from '../../domain/search/use-recent-object.ts'
import { useT } from '../../i18n/i18n.ts'
import { usePanelForm } from '../../ui/form/save-panel.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { DeleteRoom } from './delete-room.tsx'
import { GeneralTab } from './general-tab.tsx'
import { roomLabels } from './room-kind.ts'
import { CopyLink, EnterLink } from './room-links.tsx'
import { RoomState } from './room-state.tsx'
import { SettingsTab, useSettingsForm } from './settings-tab.tsx'
import { useRoomForm } from './use-room-form.ts'

/** A room: purpose, access, activity. */
export function RoomScreen({ room }: { room: RoomDetail }) {
  const t = useT()
  useRecentObject('room', {
    id: room.id,
    title: room.description ?? room.name,
    detail: room.description === null ? null : room.name,
  })
  const edit = useRoomForm(room)
  const settings = useSettingsForm(room)
  useEditForm(edit, roomLabels)
  usePanelForm(settings, t('rooms.entrance'), 'settings')
  return (
    <>
      <PageHead
        title={room.name}
        status={<RoomState room={room} />}
        facts={room.description ?? t('rooms.noDescription')}
        trail={[{ label: t('section.rooms'), to: '/rooms' }]}
        actions={
          <>
            {room.canDelete && (
              <DeleteButton label={t('words.delete')}>
                {(onClose) => <DeleteRoom room={room} onClose={onClose} />}
              </DeleteButton>
            )}
            <CopyLink name={room.name} />
            <EnterLink name={room.name} primary />
          </>
        }
      />
      <ObjectTabs
        objectType="room"
        object={room}
        forms={[edit.form, settings]}
        tabs={[
          room.isOwner && {
            name: 'general',
            label: t('words.general'),
            content: () => <GeneralTab room={room} edit={edit} />,
          },
          room.canConfigure && {
            name: 'settings',
            label: t('words.settings'),
            content: () => <SettingsTab room={room} form={settings} />,
          },
        ]}
      />
    </>
  )
}
