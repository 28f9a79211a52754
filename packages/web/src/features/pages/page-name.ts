/**
 * Name of the theme's page at a path: the one set in the menu, otherwise that of the path; undefined if
 * there can't be one.
 */
export function pageName(path: string, menuPage: string | undefined): string | undefined {
  const name = (menuPage ?? path.replace(/^\/|\/$/g, '')).toLowerCase()
  return /^[a-z0-9]+(\/[a-z0-9]+)*$/.test(name) ? name : undefined
}
