import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useState,
} from 'react'
import { isNewerThere, loadPart, ReloadError } from '../lib/new-version.ts'
import { ErrorState } from './ErrorState.tsx'
import { stateTexts } from './texts.ts'

/** Errors of code that didn't come, and may once there is a connection again; what breaks while it is drawn would break again. */
const notLoaded = new WeakSet<object>()

type Failed = { children: ReactNode; onRetry: () => void; awaited: boolean }

/** Keeps what breaks inside from taking the page with it. */
class Boundary extends Component<Failed, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('broken') }
  }

  override componentDidCatch(error: Error) {
    if (notLoaded.has(error)) addEventListener('online', this.props.onRetry, { once: true })
  }

  override componentWillUnmount() {
    removeEventListener('online', this.props.onRetry)
  }

  override render() {
    const { children, ...told } = this.props
    if (this.state.error === null) return children
    return <ErrorState title={stateTexts.partFailed} error={this.state.error} {...told} />
  }
}

/**
 * A part of a page whose code loads when it is first shown. When that fails, or the part breaks, the rest of the page
 * stays as it is, and the part can be tried again; its code is by itself once the connection is back.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const fresh = () =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) }
      } catch (error) {
        if (!(error instanceof ReloadError)) notLoaded.add(error as Error)
        throw error
      }
    }) as unknown as ComponentType<Props>
  let Part = fresh()
  return function LazyPart(props: Props & { opened?: boolean }) {
    const [round, setRound] = useState(0)
    const retry = useCallback(() => {
      // A load that failed is remembered by the part that asked for it.
      Part = fresh()
      setRound((before) => before + 1)
    }, [])
    return (
      // What can be closed somebody has opened, wherever on the page they are.
      <Boundary key={round} onRetry={retry} awaited={'onClose' in props && props.opened !== false}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </Boundary>
    )
  }
}

/** In how many milliseconds an extra that could not be loaded is tried again. */
const EXTRA_RETRY_MS = 10_000

/**
 * Something beside the page that nobody waits for: until its code has come there is nothing, and failing is no failure of
 * the page. What the browser won't request again comes with the next page, which is loaded whole.
 */
export function lazyExtra<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LazyExtra(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (Part) return
      let timer: ReturnType<typeof setTimeout> | undefined
      let gone = false
      const attempt = async () => {
        let stuck = false
        loaded = await loadPart(load).catch((error) => {
          stuck = error instanceof ReloadError
          return null
        })
        if (gone) return
        if (loaded) setPart(() => loaded)
        else if (!stuck) timer = setTimeout(() => void attempt(), EXTRA_RETRY_MS)
      }
      void attempt()
      return () => {
        gone = true
        clearTimeout(timer)
      }
    }, [Part])
    return Part && <Part {...props} />
  }
}

/** Fetches code that may be needed without a network, so many milliseconds after the page began, once the server has it. */
export function useCodeAhead(load: () => Promise<unknown>, restMs: number): void {
  useEffect(() => {
    const timer = setInterval(async () => {
      const isNewer = await isNewerThere()
      // Browsers remember a module that failed, and with it what else needs that one.
      if (isNewer === null) return
      clearInterval(timer)
      if (!isNewer) load().catch(() => {})
    }, restMs)
    return () => clearInterval(timer)
  }, [load, restMs])
}

/** True from the first time that this was: a lazy dialog stays there while it closes. */
export function useLatch(now: boolean): boolean {
  const [latched, setLatched] = useState(now)
  if (now && !latched) setLatched(true)
  return now || latched
}
