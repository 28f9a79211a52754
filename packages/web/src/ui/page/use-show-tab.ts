import { useLocation, useNavigate } from '../../router/router-context.tsx'

/** Opens a tab of the page; without a name the first one. Answers once it is shown. */
export function useShowTab(): (name?: string) => Promise<void> {
  const navigate = useNavigate()
  const search = useLocation().search
  return (name) => navigate({ to: '.', search: { ...search, tab: name }, replace: true, resetScroll: false })
}
