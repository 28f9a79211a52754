import type { RoomListItem } from '@gatehouse/contract/meetings/rooms'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { useRestore } from '../../domain/directory/use-restore.ts'
import { day } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { FoundText } from '../../ui/data-table/found-text.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tag } from '../../ui/page/panel.tsx'
import { CopyLink, EnterLink } from './room-links.tsx'
import { RoomState } from './room-state.tsx'

/** Columns of the list of rooms, or of deleted rooms with restore buttons. */
export function useRoomColumns({ deleted }: { deleted: boolean }): readonly Column<RoomListItem>[] {
  const t = useT()
  const common: Column<RoomListItem>[] = [
    {
      name: 'name',
      label: t('words.name'),
      sortable: true,
      phone: 'main',
      width: '26%',
      cell: (room) => <NameCell room={room} deleted={deleted} />,
    },
    {
      name: 'description',
      label: t('words.description'),
      sortable: true,
      phone: 'hidden',
      cell: ({ description }) => (
        <span className="rooms-description">
          <FoundText text={description ?? ''} />
        </span>
      ),
    },
  ]
  if (deleted) return [...common, ...deletionColumns(t)]
  return [
    ...common,
    {
      name: 'state',
      label: t('rooms.now'),
      phone: 'aside',
      width: '16%',
      cell: (room) => <RoomState room={room} />,
    },
    {
      name: 'acts',
      label: t('words.actions'),
      align: 'end',
      phone: 'meta',
      width: '270px',
      cell: ({ name }) => (
        <span className="rooms-acts">
          <CopyLink name={name} size="small" />
          <EnterLink name={name} size="small" />
        </span>
      ),
    },
  ]
}

function deletionColumns(t: Translate): Column<RoomListItem>[] {
  return [
    {
      name: 'deleted',
      label: t('rooms.deletedAt'),
      phone: 'hidden',
      width: '14%',
      cell: ({ deleted_at }) => <span className="text-3 nowrap">{deleted_at && day(deleted_at)}</span>,
    },
    {
      name: 'restorable',
      label: t('rooms.restorableUntil'),
      phone: 'meta',
      width: '17%',
      cell: ({ restorable_until }) => (
        <>
          <span className="directory-phone">{t('rooms.restorableUntil')} </span>
          {restorable_until ? day(restorable_until) : '–'}
        </>
      ),
    },
    {
      name: 'restore',
      label: t('words.actions'),
      align: 'end',
      phone: 'meta',
      width: '15%',
      cell: (room) => <RestoreButton room={room} />,
    },
  ]
}

function NameCell({ room, deleted }: { room: RoomListItem; deleted: boolean }) {
  const t = useT()
  return (
    <span className="directory-name">
      <span className="directory-icon" aria-hidden="true">
        <Icon of={IconVideo} size="small" />
      </span>
      <span className="directory-name-text">
        <span className="row wrap">
          {deleted ? (
            <span className="medium text-3">
              <FoundText text={room.name} />
            </span>
          ) : (
            <TableLink to={`/room/${room.id}`}>
              <FoundText text={room.name} />
            </TableLink>
          )}
          {!room.isOwner && <Tag>{t('rooms.shared')}</Tag>}
        </span>
        {room.description && (
          <span className="data-second truncate directory-phone">
            <FoundText text={room.description} />
          </span>
        )}
      </span>
    </span>
  )
}

function RestoreButton({ room }: { room: RoomListItem }) {
  const t = useT()
  const restore = useRestore('room')
  if (!room.restorable_until) return null
  return (
    <Button size="small" icon={IconArrowBackUp} onPress={() => restore(room.id)}>
      {t('rooms.restore')}
      <span className="visually-hidden"> {room.name}</span>
    </Button>
  )
}
