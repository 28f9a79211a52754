import '@mantine/core/styles/default-css-variables.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { scheme } from '../color-scheme.ts'
import { useStore } from '../store.ts'
import { mantineTheme, tokenVariables } from './theme.ts'

/**
 * Lets lazy screens use Mantine's larger components. Import each component's own stylesheet beside it, for example
 * `@mantine/core/styles/Table.css`, and never this file from the first load.
 */
export function MantineScope({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={tokenVariables}
      forceColorScheme={useStore(scheme)}
      getStyleNonce={readNonce}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}

function readNonce(): string {
  return document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
}
