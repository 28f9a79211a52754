import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useView } from './use-view.ts'
import '../../../ui/fields/segmented.css'

/** Switches between table and grid. */
export function ViewSwitch() {
  const t = useT()
  const [view, setView] = useView()
  return (
    <fieldset className="segmented" aria-label={t('files.view')}>
      {(['list', 'grid'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={view === one}
          aria-label={t(one === 'list' ? 'files.viewList' : 'files.viewGrid')}
          onClick={() => setView(one)}
        >
          <Icon of={one === 'list' ? IconList : IconLayoutGrid} />
        </button>
      ))}
    </fieldset>
  )
}
