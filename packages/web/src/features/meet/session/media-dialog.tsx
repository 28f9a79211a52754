import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { DeviceFields } from '../devices/device-fields.tsx'
import { DeviceProblems } from '../devices/device-problems.tsx'
import { Preview } from '../devices/preview.tsx'
import { useMeeting } from './meeting-context.ts'

/** Dialog for microphone and camera. They aren't published until it is closed. */
export function MediaDialog() {
  const t = useT()
  const meeting = useMeeting()
  return (
    <Dialog
      open
      title={t('meeting.devices')}
      onClose={() => meeting.choose(false)}
      cancelLabel={t('words.done')}
    >
      <p className="small text-2">{t('meeting.devicesHint')}</p>
      <Preview local={meeting.local} />
      <DeviceProblems local={meeting.local} />
      <DeviceFields local={meeting.local} />
    </Dialog>
  )
}
