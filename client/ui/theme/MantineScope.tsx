import './mantine-styles.ts'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { styleNonce } from '../../lib/nonce.ts'
import { useScheme } from './scheme.ts'
import { theme } from './theme.ts'

/** Around whatever uses Mantine's parts, so that the pages without them do without its code. */
export function MantineScope({ children }: { children: ReactNode }) {
  const scheme = useScheme()
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  )
}
