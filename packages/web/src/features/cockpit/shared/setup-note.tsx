import type { ProvisioningFailure } from '@gatehouse/contract/staff/staff-views'
import type { MessageKey } from '../../../i18n/areas.ts'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { variant } from '../../../platform/config.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { type SetupProcess, setupProgress } from '../../../ui/status-box/setup-process.ts'

interface SetupNoteProps {
  process: SetupProcess
  failures: readonly ProvisioningFailure[]
}

function titleOf({ isDone }: SetupProcess, isFailed: boolean): MessageKey {
  if (isDone) return 'customer.updateFailed'
  return isFailed ? 'customer.setupFailed' : 'customer.setupOpen'
}

/** Error messages of the back ends, verbatim. */
function Failures({ of }: { of: readonly ProvisioningFailure[] }) {
  const t = useT()
  return of.map(({ step, error, attempts, triedAt }) => (
    <div key={step} className="stack stack-tight small">
      <pre className="cockpit-data">{error}</pre>
      <span className="text-2">
        {t('customer.failedTries', { count: attempts, time: triedAt ? moment(triedAt) : '–' })}
      </span>
    </div>
  ))
}

/** Setup progress of an object until it is done; administrators get a link to the failing job. */
export function SetupNote({ process, failures }: SetupNoteProps) {
  const t = useT()
  if (process.isDone && failures.length === 0) return null
  const { percent, current } = setupProgress(process)
  const isFailed = process.processState === 'failed' || failures.length > 0
  return (
    <div className="cockpit-note">
      <Note
        tone={isFailed ? 'danger' : 'info'}
        title={t(titleOf(process, isFailed), { percent })}
        actions={
          isFailed &&
          variant() === 'admin' && (
            <ButtonLink size="small" to="/operations" search={{ tab: 'jobs', state: 'retrying' }}>
              {t('customer.toJobs')}
            </ButtonLink>
          )
        }
      >
        {!process.isDone && current?.title}
        <Failures of={failures} />
      </Note>
    </div>
  )
}
