import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { VisitorProvider } from '../features/gate/visitor.tsx'
import { configQuery } from '../lib/config.ts'
import { styleNonce } from '../lib/nonce.ts'
import { queryClient } from '../lib/query.ts'
import { SessionProvider } from '../lib/session.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { schemeManager } from '../ui/theme/scheme.ts'
import { theme } from '../ui/theme/theme.ts'
import { Goodbyes } from './Goodbyes.tsx'
import { createRouter } from './router.tsx'

const router = createRouter()

// The shell waits for it, and needs not wait for the page's code before it asks.
void queryClient.prefetchQuery(configQuery)

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <VisitorProvider>
            <RouterProvider router={router} />
            <Toasts />
            <Goodbyes />
          </VisitorProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
