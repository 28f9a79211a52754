import type { Api } from '../platform/http/api.ts'
import type { FileParts } from './file-parts.ts'
import { serveHistory } from './routes/history-routes.ts'
import { serveItems } from './routes/item-routes.ts'
import { serveLinks, serveVisits } from './routes/link-routes.ts'
import { serveShares } from './routes/share-routes.ts'
import { serveUploads } from './routes/upload-routes.ts'

/** Files as resources of the API; reference api-meet-files-mail §2. */
export function serveFiles(api: Api, parts: FileParts): void {
  const offer = { isOffered: parts.config.APP_WITH_FILES }
  serveItems(api, parts, offer)
  serveUploads(api, parts, offer)
  serveHistory(api, parts, offer)
  serveShares(api, parts, offer)
  serveLinks(api, parts, offer)
  serveVisits(api, parts, offer)
}
