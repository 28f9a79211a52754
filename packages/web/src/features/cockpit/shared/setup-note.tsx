import { variant } from '../../../app/config.ts'
import { useT } from '../../../i18n/i18n.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Note } from '../../../ui/note.tsx'
import { type SetupProcess, setupProgress } from '../../../ui/status-box/setup-process.ts'

/** Where the set-up of an object stands, as long as it is not over; administrators find the failing work from here. */
export function SetupNote({ process }: { process: SetupProcess }) {
  const t = useT()
  if (process.isDone) return null
  const { percent, current } = setupProgress(process)
  const isFailed = process.processState === 'failed'
  return (
    <div className="cockpit-note">
      <Note
        tone={isFailed ? 'danger' : 'info'}
        title={t(isFailed ? 'customer.setupFailed' : 'customer.setupOpen', { percent })}
        actions={
          isFailed &&
          variant() === 'admin' && (
            <ButtonLink size="small" to="/operations" search={{ tab: 'jobs', state: 'retrying' }}>
              {t('customer.toJobs')}
            </ButtonLink>
          )
        }
      >
        {current?.title}
      </Note>
    </div>
  )
}
