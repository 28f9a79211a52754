type Query = Readonly<Record<string, unknown>>

/** Former tabs that are now part of another one, by the name in old links and bookmarks. */
const moved: Readonly<Record<string, { tab: string; part: string }>> = {
  forecast: { tab: 'costs', part: 'forecast' },
  pending: { tab: 'more', part: 'pending' },
  alerts: { tab: 'more', part: 'alerts' },
  referral: { tab: 'more', part: 'referral' },
  verify: { tab: 'more', part: 'verify' },
}

/** Returns the current query for an old link; undefined if the link is up to date. */
export function movedPlace(query: Query): Query | undefined {
  const place = typeof query.tab === 'string' && Object.hasOwn(moved, query.tab) && moved[query.tab]
  return place ? { ...query, ...place } : undefined
}
