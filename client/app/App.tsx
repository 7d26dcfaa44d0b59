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

/** Until the code of the first page is here, so that nothing empty takes the place of what the document shows. */
export function firstPage(): Promise<void> {
  if (router.state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}

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
