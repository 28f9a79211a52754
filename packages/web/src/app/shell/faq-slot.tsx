import { type ComponentType, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { useLocation, useRoute } from '../../router/router-context.tsx'

const withoutFaq = new Set(['/', '/login', '/logout'])

/** The FAQ entries for the current page, below it. Loaded after the page without blocking it. */
export function FaqSlot() {
  const isShown = useRoute() !== undefined
  const path = useLocation().pathname
  const [Faq, setFaq] = useState<ComponentType<{ path: string }>>()
  const wanted = isShown && !withoutFaq.has(path)

  useEffect(() => {
    if (!wanted || Faq) return
    let gone = false
    void fetchFaq().then(
      (Component) => gone || setFaq(() => Component),
      // The page works without them.
      () => {},
    )
    return () => {
      gone = true
    }
  }, [wanted, Faq])

  return wanted && Faq ? <Faq path={path} key={path} /> : null
}

async function fetchFaq(): Promise<ComponentType<{ path: string }>> {
  const [{ PageFaq }, { QueryScope }] = await Promise.all([
    import('../../features/faq/page-faq.tsx'),
    import('../../platform/api/query.tsx'),
    loadMessages('faq'),
  ])
  return function FaqWithQueries({ path }: { path: string }) {
    return (
      <QueryScope>
        <PageFaq path={path} />
      </QueryScope>
    )
  }
}
