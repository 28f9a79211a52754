import { Skeleton } from '../page/skeleton.tsx'

/** Skeleton of a form's sections and the panels beside it. */
export function FormSkeleton() {
  return (
    <div className="columns">
      <div className="panel">
        <SectionSkeleton fields={2} />
        <SectionSkeleton fields={2} />
        <SectionSkeleton fields={3} />
      </div>
      <div className="panel">
        <div className="panel-body stack">
          <Skeleton width="40%" height={16} />
          <Skeleton width="80%" />
          <Skeleton width="70%" />
          <Skeleton width="60%" height={20} />
        </div>
      </div>
    </div>
  )
}

function SectionSkeleton({ fields }: { fields: number }) {
  return (
    <div className="form-section">
      <div>
        <Skeleton width="55%" />
      </div>
      <div className="stack">
        {Array.from({ length: fields }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
          <div key={row} className="stack stack-tight">
            <Skeleton width="24%" />
            <Skeleton height={34} />
          </div>
        ))}
      </div>
    </div>
  )
}
