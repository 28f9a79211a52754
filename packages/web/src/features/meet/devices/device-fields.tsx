import { useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { canBlur, type DeviceKind } from './capture.ts'
import { deviceList } from './device-list.ts'
import { type LocalMedia, noDevice } from './local-media.ts'

/** Select fields for microphone and camera, or none. The choice is remembered. */
export function DeviceFields({ local }: { local: LocalMedia }) {
  const t = useT()
  const { camera, blur } = useStore(local.state)
  return (
    <>
      <DeviceSelect kind="microphone" label={t('meet.microphone')} local={local} />
      <DeviceSelect kind="camera" label={t('meet.camera')} local={local} />
      {canBlur(camera.track) && (
        <Checkbox
          id="background-blur"
          label={t('meet.blur')}
          hint={t('meet.blurHint')}
          checked={blur}
          onChecked={(on) => void local.setBlur(on)}
        />
      )}
    </>
  )
}

function DeviceSelect({ kind, label, local }: { kind: DeviceKind; label: string; local: LocalMedia }) {
  const t = useT()
  const devices = useStore(deviceList)[kind]
  const { chosen, isOpening } = useStore(local.state)[kind]
  const isKnown = chosen === noDevice || devices.some(({ id }) => id === chosen)
  return (
    <Select
      id={kind}
      name={kind}
      label={label}
      value={isKnown ? chosen : ''}
      onValue={(id) => void local.choose(kind, id)}
      hint={isOpening && <span className="visually-hidden">{t('meet.deviceOpening')}</span>}
      disabled={isOpening}
      options={[
        ...(isKnown ? [] : [{ value: '', label: t(isOpening ? 'words.opening' : 'meet.deviceDefault') }]),
        ...devices.map(({ id, label: name }) => ({ value: id, label: name })),
        { value: noDevice, label: t('meet.deviceNone') },
      ]}
    />
  )
}
