import { useLocation, useNavigate } from '../../router/router-context.tsx'

/**
 * A dialog requested in the URL, such as `/invitations?invite=1`: whether it is, and a function that removes the
 * request from the URL.
 */
export function useAsked(name: string): readonly [isAsked: boolean, forget: () => void] {
  const navigate = useNavigate()
  // the query is untyped without registered routes
  const query = useLocation().search
  const isAsked = query[name] !== undefined
  const forget = () => {
    if (isAsked)
      void navigate({ to: '.', search: { ...query, [name]: undefined }, replace: true, resetScroll: false })
  }
  return [isAsked, forget]
}
