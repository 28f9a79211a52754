import type { PageConfig } from '@gatehouse/contract/page-config'

declare global {
  interface Window {
    config: PageConfig
    isAdmin: boolean
    isReseller: boolean
  }
}
