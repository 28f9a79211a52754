/** The theme's page at a path: the one that the menu names, else that of the path; undefined if none can be. */
export function pageName(path: string, menuPage: string | undefined): string | undefined {
  const name = (menuPage ?? path.replace(/^\/|\/$/g, '')).toLowerCase()
  return /^[a-z0-9]+(\/[a-z0-9]+)*$/.test(name) ? name : undefined
}
