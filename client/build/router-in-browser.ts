import { createContext, type Ref } from 'react'

/** The router's behavior without server rendering: no server state, and nothing is preloaded. */
export const FrameworkContext = createContext(undefined)

export const usePrefetchBehavior = () => [false, null, {}]

export const PrefetchPageLinks = () => null

/** Gives one element to all that hold it. */
export const mergeRefs =
  <Value>(...refs: (Ref<Value> | undefined)[]) =>
  (value: Value | null) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(value)
      else if (ref) ref.current = value
    }
  }

/** Without instruments there is nobody to tell of a navigation, nor anything around a route or the router. */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined

export const getRouteInstrumentationUpdates = () => ({})

export const instrumentClientSideRouter = <Router>(router: Router) => router
