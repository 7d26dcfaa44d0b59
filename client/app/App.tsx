import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { RouterProvider } from 'react-router'
import { VisitorProvider } from '../features/gate/visitor.tsx'
import { goodbye } from '../features/profiles/privacy/goodbye.ts'
import { configQuery } from '../lib/config.ts'
import { queryClient } from '../lib/query.ts'
import { SessionProvider } from '../lib/session.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { createRouter } from './router.tsx'

const Goodbye = lazyPart(() =>
  import('../features/profiles/privacy/Goodbye.tsx').then((module) => module.default),
)

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

/** The place for what is said after a deletion; its code loads with it. */
function Goodbyes() {
  const needed = useSyncExternalStore(goodbye.subscribe, () => goodbye.read() !== null)
  return needed ? <Goodbye /> : null
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
