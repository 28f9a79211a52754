import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { ActedItem } from '../calls.ts'
import { LinkSection } from './link-section.tsx'
import { PeopleSection } from './people-section.tsx'

/** Shares an item by address and by link, and shows who has access. */
export function ShareDialog({ item, onClose }: { item: ActedItem; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog open wide title={t('files.shareTitle', { name: item.name })} onClose={onClose}>
      <div className="share-part">
        <h3>{t('words.people')}</h3>
        <PeopleSection item={item} />
      </div>
      <div className="share-part">
        <h3>{t('files.links')}</h3>
        <LinkSection item={item} />
      </div>
    </Dialog>
  )
}
