import type { Api } from '../../platform/http/api.ts'
import { type CatalogueParts, serveCatalogue } from './catalogue-routes.ts'
import { type ProgramParts, servePrograms } from './program-routes.ts'
import { type PublicDomainRouteParts, servePublicDomains } from './public-domain-routes.ts'
import { serveTokens } from './token-routes.ts'

/** A tenant's catalogue and sign-up options: managed by the tenant, within the service's limits. */
export function serveTenantOffer(
  api: Api,
  parts: CatalogueParts & ProgramParts & PublicDomainRouteParts,
): void {
  serveCatalogue(api, parts)
  servePublicDomains(api, parts)
  serveTokens(api, parts)
  servePrograms(api, parts)
}
