import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { VisitorProvider } from '../features/gate/visitor.tsx'
import { configQuery } from '../lib/config.ts'
import { queryClient } from '../lib/query.ts'
import { SessionProvider } from '../lib/session.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Goodbyes } from './Goodbyes.tsx'
import { createRouter } from './router.tsx'

const router = createRouter()

// The shell waits for it, and needs not wait for the page's code before it asks.
void queryClient.prefetchQuery(configQuery)

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <VisitorProvider>
          <RouterProvider router={router} />
          <Toasts />
          <Goodbyes />
        </VisitorProvider>
      </SessionProvider>
    </QueryClientProvider>
  )
}
