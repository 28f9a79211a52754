import { FormSkeleton } from '../form/form-skeleton.tsx'
import { PageHead } from './page-head.tsx'
import { Loading, Skeleton } from './skeleton.tsx'
import './tabs.css'

/** Skeleton of an object's page. */
export function ObjectSkeleton({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} facts={'\u00a0'} />
      <Loading>
        <div className="tabs-skeleton">
          <Skeleton width={260} height={14} />
        </div>
        <FormSkeleton />
      </Loading>
    </>
  )
}
