import type { Api } from '../../platform/http/api.ts'
import { type CatalogueParts, serveCatalogue } from './catalogue-routes.ts'
import { type ProgramParts, servePrograms } from './program-routes.ts'
import { type PublicDomainRouteParts, servePublicDomains } from './public-domain-routes.ts'
import { serveTokens } from './token-routes.ts'

/** What tenants offer, and how people sign up for it: looked after by the tenant, within limits of the service. */
export function serveTenantOffer(
  api: Api,
  parts: CatalogueParts & ProgramParts & PublicDomainRouteParts,
): void {
  serveCatalogue(api, parts)
  servePublicDomains(api, parts)
  serveTokens(api, parts)
  servePrograms(api, parts)
}
