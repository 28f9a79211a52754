import type { RequestQuota } from './principal.ts'

/** Seconds of the period of a quota. */
export const quotaPeriod = 60

/** Returns the response headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function quotaHeaders({ limit, left, reset }: RequestQuota): Record<string, string> {
  return {
    'ratelimit-policy': `"api-key";q=${limit};w=${quotaPeriod}`,
    ratelimit: `"api-key";r=${left};t=${reset}`,
  }
}
