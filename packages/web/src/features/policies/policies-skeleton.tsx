import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

/** Skeleton of the password form. */
export function PoliciesSkeleton() {
  return (
    <Loading>
      <div className="policies-skeleton">
        <Skeleton width={220} height={20} />
        <Panel flush>
          {[90, 70, 110, 110].map((height, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
            <div key={row} className="form-section">
              <div>
                <Skeleton width="60%" height={14} />
              </div>
              <Skeleton width="70%" height={height} />
            </div>
          ))}
        </Panel>
      </div>
    </Loading>
  )
}
