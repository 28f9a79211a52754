/** The questions that belong to the page at `path`. */
export function PageFaq({ path }: { path: string }) {
  return <section hidden data-path={path} />
}
