import IconDeviceMobileOff from '@tabler/icons-react/dist/esm/icons/IconDeviceMobileOff.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Glyph, Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const cases: readonly { icon: Glyph; title: MessageKey; text: MessageKey }[] = [
  { icon: IconDeviceMobileOff, title: 'factors.lostDevice', text: 'factors.lostDeviceText' },
  { icon: IconLifebuoy, title: 'words.recoveryCodes', text: 'factors.lostCodesText' },
  { icon: IconUsers, title: 'factors.lostAll', text: 'factors.lostAllText' },
]

/** Help for lost factors, best read in advance. */
export function LostFactor() {
  const t = useT()
  return (
    <Panel title={t('factors.lost')}>
      <ul className="lost-factor">
        {cases.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon of={icon} />
            <div>
              <h3>{t(title)}</h3>
              <p className="small text-2">{t(text)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
