import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import type { CaptureProblem, DeviceKind } from './capture.ts'
import type { LocalMedia } from './local-media.ts'

type Affected = DeviceKind | 'both'

const titles: Record<CaptureProblem, Record<Affected, MessageKey>> = {
  denied: { microphone: 'meet.deniedMicrophone', camera: 'meet.deniedCamera', both: 'meet.deniedBoth' },
  missing: { microphone: 'meet.noMicrophone', camera: 'meet.noCamera', both: 'meet.noDevices' },
  busy: { microphone: 'meet.busyMicrophone', camera: 'meet.busyCamera', both: 'meet.busyBoth' },
  unsupported: { microphone: 'meet.unsupported', camera: 'meet.unsupported', both: 'meet.unsupported' },
}

const texts: Record<CaptureProblem, MessageKey> = {
  denied: 'meet.deniedAdvice',
  missing: 'meet.missingAdvice',
  busy: 'meet.busyAdvice',
  unsupported: 'meet.unsupportedAdvice',
}

/** Why a device is unavailable, and what to do. Joining without devices is still possible. */
export function DeviceProblems({ local }: { local: LocalMedia }) {
  const t = useT()
  const { microphone, camera } = useStore(local.state)
  const [mine, theirs] = [microphone.problem, camera.problem]
  const found: [CaptureProblem, Affected][] =
    mine && mine === theirs
      ? [[mine, 'both']]
      : [
          ...(mine ? [[mine, 'microphone'] as [CaptureProblem, Affected]] : []),
          ...(theirs ? [[theirs, 'camera'] as [CaptureProblem, Affected]] : []),
        ]
  return (
    <div className="stack stack-tight meet-problems" role="status">
      {found.map(([problem, affected]) => (
        <Note
          key={affected}
          tone={problem === 'missing' ? 'info' : 'warning'}
          title={t(titles[problem][affected])}
          actions={
            problem !== 'unsupported' && (
              <Button size="small" onPress={() => local.open()}>
                {t('words.tryAgain')}
              </Button>
            )
          }
        >
          <p className="small text-2">{t(texts[problem])}</p>
        </Note>
      ))}
    </div>
  )
}
