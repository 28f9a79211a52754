import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileItem } from '@gatehouse/contract/files/file-items'
import { Fragment, type MouseEvent } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { itemPath } from '../calls.ts'

export interface ItemNameProps {
  item: FileItem & { path?: readonly { id: string; name: string }[] }
  /** Shown below the name on a phone. */
  facts: string
}

/** An item's name as a link, with facts that distinguish it from items of the same name. */
export function ItemName({ item, facts }: ItemNameProps) {
  const t = useT()
  return (
    <span className="files-name-text">
      <span className="row">
        <Link
          to={itemPath(item)}
          className="files-link"
          data-item-link=""
          // keys and modifiers select; the second click of a double click would hit the next page
          onClick={(event: MouseEvent) => {
            if (event.shiftKey || event.ctrlKey || event.metaKey || event.detail > 1) event.preventDefault()
          }}
          draggable={false}
        >
          <bdi>{item.name}</bdi>
        </Link>
        {item.isShared && <Tag>{t('files.isShared')}</Tag>}
      </span>
      <Second item={item} />
      <span className="files-second files-phone">{facts}</span>
    </span>
  )
}

function Second({ item }: Pick<ItemNameProps, 'item'>) {
  const t = useT()
  if (item.path) {
    return (
      <span className="files-second">
        {t('files.in')}{' '}
        {item.path.length === 0
          ? t('words.files')
          : item.path.map(({ id, name }, at) => (
              <Fragment key={id}>
                {at > 0 && ' › '}
                <Link to={itemPath({ id, type: 'collection' })}>
                  <bdi>{name}</bdi>
                </Link>
              </Fragment>
            ))}
      </span>
    )
  }
  if (!item.owner) return null
  return (
    <span className="files-second">
      {t('files.ownedBy', { name: item.owner.name || displayAddress(item.owner.email) })}
    </span>
  )
}
