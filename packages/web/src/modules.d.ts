declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { Icon } from '@tabler/icons-react'

  const icon: Icon
  export default icon
}

declare module 'virtual:world-map' {
  /** Generated during bundling, see `vite/world-map.ts`. */
  const map: import('./domain/country-picker/world-map.ts').WorldMap
  export default map
}
