import { useT } from '../../../i18n/i18n.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import { Customer } from '../customer.tsx'

/** Skeleton of the plan cards. */
export function PlansSkeleton() {
  const t = useT()
  return (
    <>
      <PageHead title={t('signup.chooseTitle')} facts={t('signup.chooseLead')} actions={<Customer />} />
      <Loading>
        <div className="plans">
          <PlanSkeleton />
          <PlanSkeleton />
        </div>
      </Loading>
    </>
  )
}

function PlanSkeleton() {
  return (
    <div className="plan">
      <Skeleton width={28} height={28} />
      <Skeleton width="22%" height={19} />
      <div className="stack stack-tight">
        <Skeleton width="36%" height={34} />
        <Skeleton width="28%" height={14} />
      </div>
      <div className="plan-text stack">
        <Skeleton width="60%" />
        <Skeleton width="52%" />
        <Skeleton width="64%" />
        <Skeleton width="44%" />
        <Skeleton width="56%" />
      </div>
      <div className="plan-differences stack stack-tight">
        <Skeleton />
        <Skeleton />
        <Skeleton />
      </div>
      <Skeleton height={40} />
    </div>
  )
}

/** Skeleton of a step's form. */
export function FormSkeleton({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Loading>
        <div className="columns">
          <div className="panel">
            <div className="panel-body stack">
              <Skeleton width="30%" />
              <Skeleton height={34} />
              <Skeleton width="24%" />
              <Skeleton height={34} />
              <Skeleton width={110} height={34} />
            </div>
          </div>
          <div className="panel">
            <div className="panel-body stack">
              <Skeleton width="50%" />
              <Skeleton width="70%" height={30} />
              <Skeleton width="80%" />
            </div>
          </div>
        </div>
      </Loading>
    </>
  )
}
